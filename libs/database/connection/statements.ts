import type { PoolClient, QueryConfig } from 'pg';

export type Values = readonly unknown[];

/** Runs one prepared statement and returns its rows. */
export type Query = <Row extends object>(text: string, values?: Values) => Promise<Row[]>;

/** Whether a statement only reads. No SELECT of Galley calls a function that writes. */
export const isSelect = (text: string): boolean => /^\s*SELECT\b/.test(text);

const preparedNames = new Map<string, string>();

/**
 * Gives a statement a name, so that each connection prepares and plans it only once. This saves about half the cost of
 * a small statement. Statements are constants in the code, so there are few names.
 */
export function preparedStatement(text: string, values: Values = []): QueryConfig {
  let name = preparedNames.get(text);
  if (name === undefined) {
    name = `galley_${preparedNames.size}`;
    preparedNames.set(text, name);
  }
  // The cast is safe, because the driver only reads the values.
  return { name, text, values: values as unknown[] };
}

export const queryOn =
  (client: PoolClient): Query =>
  <Row extends object>(text: string, values?: Values) =>
    client.query<Row>(preparedStatement(text, values)).then(({ rows }) => rows);
