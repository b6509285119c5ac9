/** The SQLSTATE of a PostgreSQL error, or Node's code for a network error. Empty for other errors. */
export const sqlState = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : '';
