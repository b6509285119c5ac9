import { Matrix, SVD } from 'ml-matrix';

// The columns are scaled to a length of 1, so only columns that depend on each other give a larger number.
const MAX_CONDITION = 1e9;

/**
 * The coefficients x for which the sum of the squares of `rows · x - values` is the smallest.
 *
 * @throws if the rows do not determine the coefficients.
 */
export function leastSquares(
  rows: readonly (readonly number[])[],
  values: readonly number[],
): number[] {
  const matrix = new Matrix(rows.map((row) => [...row]));
  // Columns of very different sizes, such as seconds and requests, would lose digits.
  const scales = matrix
    .transpose()
    .to2DArray()
    .map((column) => Math.hypot(...column) || 1);
  const decomposition = new SVD(matrix.divRowVector(scales), { autoTranspose: true });
  if (!(decomposition.condition < MAX_CONDITION)) {
    throw new Error('The rounds do not determine the costs.');
  }
  const solution = decomposition.solve(Matrix.columnVector([...values]));
  return solution.divColumnVector(scales).to1DArray();
}
