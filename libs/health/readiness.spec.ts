import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Readiness } from './readiness.js';

const lines: [level: string, message: unknown, problem: unknown][] = [];

beforeEach(() => {
  jest.useFakeTimers();
  for (const level of ['log', 'warn', 'error'] as const) {
    jest
      .spyOn(Logger.prototype, level)
      .mockImplementation(({ problem }: { problem?: string }, message?: unknown) => {
        lines.push([level, message, problem]);
      });
  }
});
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
  lines.length = 0;
});

it('a program that is not ready yet warns, and one that is no longer ready logs an error', async () => {
  let problem: string | undefined;
  const readiness = new Readiness([
    { name: 'The queue', findProblem: () => Promise.resolve(problem) },
  ]);
  for (problem of ['starting', undefined, 'broken', 'broken', undefined]) {
    expect(await readiness.findProblem()).toBe(problem);
    // The result is cached for a second.
    await jest.advanceTimersByTimeAsync(1_000);
  }
  expect(lines).toEqual([
    ['warn', 'Not ready yet.', 'starting'],
    ['log', 'Ready.', undefined],
    ['error', 'Not ready.', 'broken'],
    ['log', 'Ready.', undefined],
  ]);
});
