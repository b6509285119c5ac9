/**
 * The coefficients x for which the sum of the squares of `rows · x - values` is the smallest.
 *
 * @throws if the rows do not determine the coefficients.
 */
export function leastSquares(
  rows: readonly (readonly number[])[],
  values: readonly number[],
): number[] {
  const size = rows[0]?.length ?? 0;
  // Columns of very different sizes, such as seconds and requests, would lose digits.
  const scales = indexes(size).map((column) => Math.hypot(...rows.map((row) => at(row, column))));
  const scaled = rows.map((row) => row.map((value, column) => value / (at(scales, column) || 1)));
  const dot = (one: readonly number[], other: readonly number[]) =>
    one.reduce((sum, value, index) => sum + value * at(other, index), 0);
  const columns = indexes(size).map((column) => scaled.map((row) => at(row, column)));
  // The normal equations, each with its right-hand side as the last number.
  const equations = columns.map((column) => [
    ...columns.map((other) => dot(column, other)),
    dot(column, values),
  ]);
  return solve(equations).map((coefficient, column) => coefficient / at(scales, column));
}

/** Gauss-Jordan elimination with pivoting. */
function solve(equations: number[][]): number[] {
  const size = equations.length;
  for (const pivot of indexes(size)) {
    const largest = indexes(size)
      .slice(pivot)
      .reduce((best, row) =>
        Math.abs(cell(equations, row, pivot)) > Math.abs(cell(equations, best, pivot)) ? row : best,
      );
    const chosen = equations[largest] ?? [];
    equations[largest] = equations[pivot] ?? [];
    const divisor = at(chosen, pivot);
    if (!(Math.abs(divisor) > SINGULAR)) throw new Error('The rounds do not determine the costs.');
    const normalised = chosen.map((value) => value / divisor);
    equations[pivot] = normalised;
    for (const row of indexes(size)) {
      if (row === pivot) continue;
      const factor = cell(equations, row, pivot);
      equations[row] = (equations[row] ?? []).map(
        (value, column) => value - factor * at(normalised, column),
      );
    }
  }
  return equations.map((equation) => at(equation, size));
}

// The equations of scaled columns have numbers of about 1.
const SINGULAR = 1e-9;

const indexes = (size: number): number[] => Array.from({ length: size }, (_, index) => index);
const at = (row: readonly number[], index: number): number => row[index] ?? NaN;
const cell = (rows: readonly (readonly number[])[], row: number, column: number): number =>
  at(rows[row] ?? [], column);
