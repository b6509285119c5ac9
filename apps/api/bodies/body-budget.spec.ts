import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import type { DomainError } from '#errors';
import { BodyBudget, type BodyTicket } from './body-budget.js';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

const KIB = 1024;

/** A budget of 1 MiB, of which one caller may hold at most 256 KiB. */
function createBudget() {
  const budget = new BodyBudget(1024 * KIB);
  const held: string[] = [];
  const refused: [name: string, error: DomainError][] = [];
  const tickets = new Map<string, BodyTicket>();
  /** The name `ada 1` stands for the first body of the caller `ada`. */
  const enter = (name: string, kib: number) => {
    const ticket = budget.enter(name.split(' ')[0] ?? '', kib * KIB, (_ticket, refusal) => {
      if (refusal) refused.push([name, refusal]);
      else held.push(name);
    });
    tickets.set(name, ticket);
  };
  const leave = (name: string) => {
    budget.leave(tickets.get(name) as BodyTicket);
  };
  return { budget, enter, leave, held, refused };
}

it('limits a caller to a quarter of the memory, and does not make other callers wait', () => {
  const { enter, leave, held } = createBudget();
  for (const body of [1, 2, 3, 4]) enter(`ada ${body}`, 128);
  expect(held).toEqual(['ada 1', 'ada 2']);
  enter('bob 1', 256);
  enter('eve 1', 256);
  expect(held).toEqual(['ada 1', 'ada 2', 'bob 1', 'eve 1']);
  leave('bob 1');
  leave('ada 2');
  expect(held.slice(4)).toEqual(['ada 3']);
  leave('ada 2');
  expect(held.slice(5)).toEqual([]);
});

it('reserves a quarter of the memory for callers that hold nothing, and never exceeds the capacity', () => {
  const { enter, held } = createBudget();
  for (const caller of ['ada', 'bob', 'eve']) enter(`${caller} 1`, 256);
  enter('fay 1', 256);
  enter('gus 1', 64);
  enter('gus 2', 64);
  enter('hal 1', 64);
  enter('ivy 1', 4);
  enter('ivy 2', 4);
  expect(held.slice(3)).toEqual(['gus 1', 'hal 1', 'ivy 1']);
  for (const caller of ['jim', 'kim', 'lea']) enter(`${caller} 1`, 60);
  expect(held.slice(6)).toEqual(['jim 1', 'kim 1']);
});

it('serves waiting callers round-robin', () => {
  const { enter, leave, held } = createBudget();
  for (const caller of ['ada', 'bob', 'eve']) enter(`${caller} 1`, 256);
  for (const body of ['fay 1', 'fay 2', 'fay 3', 'gus 1', 'gus 2']) enter(body, 128);
  expect(held.slice(3)).toEqual([]);
  leave('ada 1');
  expect(held.slice(3)).toEqual(['fay 1', 'gus 1']);
  leave('bob 1');
  expect(held.slice(5)).toEqual(['fay 2', 'gus 2']);
});

it('refuses only the caller that has too many waiting bodies', () => {
  const { enter, held, refused } = createBudget();
  for (let body = 0; body < 102; body++) enter(`ada ${body}`, 256);
  enter('bob 1', 256);
  expect(held).toEqual(['ada 0', 'bob 1']);
  expect(refused.map(([name, { code, hints }]) => [name, code, hints])).toEqual([
    ['ada 101', 'too_many_requests', { retryAfterSeconds: 1 }],
  ]);
});

it('refuses bodies that have waited too long, and tells whether their caller is to blame', () => {
  const { enter, leave, held, refused } = createBudget();
  for (const body of ['ada 1', 'bob 1', 'eve 1', 'ada 2', 'fay 1']) enter(body, 256);
  jest.advanceTimersByTime(9_000);
  enter('fay 2', 256);
  jest.advanceTimersByTime(1_000);
  expect(refused.map(([name, { code }]) => [name, code])).toEqual([
    ['ada 2', 'too_many_requests'],
    ['fay 1', 'unavailable'],
  ]);
  jest.advanceTimersByTime(9_000);
  expect(refused.slice(2).map(([name, { code }]) => [name, code])).toEqual([
    ['fay 2', 'unavailable'],
  ]);
  leave('ada 1');
  enter('gus 1', 256);
  expect(held.at(-1)).toBe('gus 1');
});

it('drops a body that leaves while it waits', () => {
  const { enter, leave, held } = createBudget();
  for (const body of ['ada 1', 'ada 2', 'ada 3']) enter(body, 256);
  leave('ada 2');
  leave('ada 1');
  expect(held).toEqual(['ada 1', 'ada 3']);
});

it('does not recurse when many bodies end as soon as they are admitted', () => {
  const budget = new BodyBudget(1024 * KIB);
  const heldTickets = ['ada', 'bob', 'eve', 'fay'].map((id) =>
    budget.enter(id, 192 * KIB, () => undefined),
  );
  let finished = 0;
  let depth = 0;
  let maxDepth = 0;
  for (let caller = 0; caller < 1_000; caller++) {
    budget.enter(`caller ${caller}`, 128 * KIB, (ticket) => {
      maxDepth = Math.max(maxDepth, ++depth);
      finished++;
      budget.leave(ticket);
      depth--;
    });
  }
  expect(finished).toBe(0);
  for (const ticket of heldTickets) budget.leave(ticket);
  expect([finished, maxDepth]).toEqual([1_000, 1]);
});
