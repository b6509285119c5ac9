/** The SQLSTATE of an error of PostgreSQL, and Node's code of a network error. Empty for other errors. */
export const sqlStateOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : '';
