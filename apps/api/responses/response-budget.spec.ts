import { expect, it } from '@jest/globals';
import { ResponseBudget } from './response-budget.js';

const quotas = { perCaller: 10, total: 20 };

function holdResponse(budget: ResponseBudget, caller: string, bytes: number) {
  const response = { bytes, isClosed: false, close: () => void (response.isClosed = true) };
  const release = budget.hold(caller, response);
  return { response, release };
}

it('admits a caller again after a response has been read', () => {
  const budget = new ResponseBudget(quotas);
  const { release } = holdResponse(budget, 'a', 10);
  expect([budget.canAdmit('a'), budget.canAdmit('b')]).toEqual([false, true]);
  release();
  release();
  expect(budget.canAdmit('a')).toBe(true);
});

it('admits all but the caller with the most bytes when memory is full', () => {
  const budget = new ResponseBudget(quotas);
  holdResponse(budget, 'a', 9);
  holdResponse(budget, 'b', 8);
  holdResponse(budget, 'c', 3);
  expect(['a', 'b', 'c', 'd'].map((caller) => budget.canAdmit(caller))).toEqual([
    false,
    true,
    true,
    true,
  ]);
});

it('closes as few of the oldest responses as needed, from the caller with the most bytes', () => {
  const budget = new ResponseBudget(quotas);
  const largest = [holdResponse(budget, 'a', 4), holdResponse(budget, 'a', 5)];
  const others = [holdResponse(budget, 'b', 8), holdResponse(budget, 'c', 3)];
  holdResponse(budget, 'd', 1);
  expect(largest.map(({ response }) => response.isClosed)).toEqual([true, false]);
  expect(others.map(({ response }) => response.isClosed)).toEqual([false, false]);
});
