import { expect, it } from '@jest/globals';
import { leastSquares } from './least-squares.js';

it('finds the coefficients of exact values, whatever the sizes of the columns', () => {
  const rows = [
    [5, 0, 0],
    [2, 3_000, 0],
    [4, 3_000, 3_000],
    [3, 1_000, 4_000],
  ];
  const values = rows.map(([seconds = 0, creates = 0, deliveries = 0]) => {
    return 12 * seconds + 0.3 * creates + 0.15 * deliveries;
  });
  const [idle, create, delivery] = leastSquares(rows, values);
  expect(idle).toBeCloseTo(12, 6);
  expect(create).toBeCloseTo(0.3, 9);
  expect(delivery).toBeCloseTo(0.15, 9);
});

it('divides an error among the values', () => {
  const [intercept, slope] = leastSquares(
    [
      [1, 0],
      [1, 1],
      [1, 2],
    ],
    [0, 2, 2],
  );
  expect(intercept).toBeCloseTo(1 / 3, 9);
  expect(slope).toBeCloseTo(1, 9);
});

it('refuses rows that do not determine the coefficients', () => {
  expect(() => leastSquares([[1, 2], [2, 4], [3, 6]], [1, 2, 3])).toThrow('do not determine'); // prettier-ignore
});
