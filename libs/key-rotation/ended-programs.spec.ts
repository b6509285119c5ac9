import { expect, it } from '@jest/globals';
import { EndedPrograms } from './ended-programs.js';

it('a program counts as ended if it has not reported for several checks', () => {
  const ended = new EndedPrograms(2);
  const look = (a: number, b: number) =>
    ended.find([
      { id: 'a', beats: a },
      { id: 'b', beats: b },
    ]);
  expect([look(1, 1), look(2, 1), look(3, 1)]).toEqual([[], [], [{ id: 'b', beats: 1 }]]);
  // A late report counts like any other.
  expect([look(3, 2), look(4, 2), look(4, 3)]).toEqual([[], [], []]);
});

it('a program that one check did not find starts again with no missed checks', () => {
  const ended = new EndedPrograms(1);
  const program = { id: 'a', beats: 1 };
  expect([ended.find([program]), ended.find([]), ended.find([program])]).toEqual([[], [], []]);
  expect(ended.find([program])).toEqual([program]);
});
