import { expect, it } from '@jest/globals';
import { EndedPrograms } from './ended-programs.js';

it('a program has ended when it has not reported for some checks in a row', () => {
  const ended = new EndedPrograms(2);
  const look = (a: number, b: number) =>
    ended.find([
      { id: 'a', beats: a },
      { id: 'b', beats: b },
    ]);
  expect([look(1, 1), look(2, 1), look(3, 1)]).toEqual([[], [], [{ id: 'b', beats: 1 }]]);
  // A report counts, however late it comes.
  expect([look(3, 2), look(4, 2), look(4, 3)]).toEqual([[], [], []]);
});

it('a program that is missing from one check starts from zero again', () => {
  const ended = new EndedPrograms(1);
  const program = { id: 'a', beats: 1 };
  expect([ended.find([program]), ended.find([]), ended.find([program])]).toEqual([[], [], []]);
  expect(ended.find([program])).toEqual([program]);
});
