import { expect, it } from '@jest/globals';
import { ResponseBudget } from './response-budget.js';

const quotas = { caller: 10, all: 20 };

function held(budget: ResponseBudget, caller: string, bytes: number) {
  const response = { bytes, isClosed: false, close: () => void (response.isClosed = true) };
  const release = budget.hold(caller, response);
  return { response, release };
}

it('admits a caller again when a response was read', () => {
  const budget = new ResponseBudget(quotas);
  const { release } = held(budget, 'a', 10);
  expect([budget.admits('a'), budget.admits('b')]).toEqual([false, true]);
  release();
  release();
  expect(budget.admits('a')).toBe(true);
});

it('admits all but the caller who has most when memory is full', () => {
  const budget = new ResponseBudget(quotas);
  held(budget, 'a', 9);
  held(budget, 'b', 8);
  held(budget, 'c', 3);
  expect(['a', 'b', 'c', 'd'].map((caller) => budget.admits(caller))).toEqual([
    ...[false, true, true, true],
  ]);
});

it('closes the oldest response of whom it concerns, and no more than it needs', () => {
  const budget = new ResponseBudget(quotas);
  const most = [held(budget, 'a', 4), held(budget, 'a', 5)];
  const others = [held(budget, 'b', 8), held(budget, 'c', 3)];
  held(budget, 'd', 1);
  expect(most.map(({ response }) => response.isClosed)).toEqual([true, false]);
  expect(others.map(({ response }) => response.isClosed)).toEqual([false, false]);
});
