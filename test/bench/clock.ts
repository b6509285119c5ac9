import type { TestDatabase } from '../support/galley/database.js';

/**
 * Milliseconds of a monotonic clock that all processes of a machine share. The clocks of `performance` in
 * two processes drift apart by milliseconds in a minute.
 */
export const now = (): number => Number(process.hrtime.bigint()) / 1e6;

/** The milliseconds to add to PostgreSQL's milliseconds since 1970 to get a time of `now`. */
export async function offsetOf(database: TestDatabase): Promise<number> {
  const looks: { took: number; offset: number }[] = [];
  for (let look = 0; look < 20; look++) {
    const begin = now();
    const [row] = await database.query<{ at: number }>(
      'SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS at',
    );
    const end = now();
    looks.push({ took: end - begin, offset: (begin + end) / 2 - (row?.at ?? NaN) });
  }
  // The quicker the response, the smaller the uncertainty.
  looks.sort((one, other) => one.took - other.took);
  return looks[0]?.offset ?? NaN;
}
