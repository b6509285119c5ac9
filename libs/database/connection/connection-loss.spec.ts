import { expect, it } from '@jest/globals';
import pg from 'pg';
import { markLostBeforeCommit, withReconnects } from './connection-loss.js';

const postgresError = (code: string) =>
  Object.assign(new pg.DatabaseError('message', 0, 'error'), { code });
const driverError = (message: string) => new Error(message);

/** Returns how often `work` ran, and how it ended. */
async function run(isRepeatable: boolean, error: Error) {
  let runs = 0;
  const work = () => {
    runs++;
    return Promise.reject(error);
  };
  const thrown = await withReconnects(isRepeatable, work).catch((reason: unknown) => reason);
  return [runs, thrown instanceof Error ? thrown.message : thrown];
}

const nothing = expect.stringContaining('nothing was changed') as unknown;
const unknown = expect.stringContaining('may or may not have been made') as unknown;

it.each([
  // PostgreSQL ends or refuses the session, is still starting, or is a standby.
  ...['57P01', '57P03', '57P05', '25P03', '53300', '08001', '08004', '25006'].map(
    (code) => [code, postgresError(code), [5, nothing]] as const,
  ),
  // The connection was lost.
  ...['57P02', '08000', '08003', '08006', '08007', '08P01'].map(
    (code) => [code, postgresError(code), [1, unknown]] as const,
  ),
  ['ECONNRESET', Object.assign(driverError('read'), { code: 'ECONNRESET' }), [1, unknown]] as const,
  ['a closed connection', driverError('Connection terminated'), [1, unknown]] as const,
  [
    'a connection that was closed before',
    driverError('It is not queryable'),
    [5, nothing],
  ] as const,
  [
    'a name that PgBouncer refuses',
    Object.assign(driverError('prepared statement name is already in use'), { code: '08P01' }),
    [5, nothing],
  ] as const,
  // PostgreSQL lacks a resource or time.
  ...['53000', '53100', '53200', '53400', '58030', '57014'].map(
    (code) => [code, postgresError(code), [1, nothing]] as const,
  ),
  // A syntax error, a unique violation and a serialization failure are thrown unchanged.
  ...['42601', '23505', '40001'].map(
    (code) => [code, postgresError(code), [1, 'message']] as const,
  ),
])(
  'after %s, a change is tried again only if nothing was changed',
  async (_name, error, expected) => {
    expect(await run(false, error)).toEqual(expected);
  },
);

it('work that may be repeated is tried again after every lost connection', async () => {
  for (const code of ['57P01', '57P02', '08006']) {
    expect(await run(true, postgresError(code))).toEqual([5, nothing]);
  }
});

it('a transaction that has not sent COMMIT is tried again after every lost connection', async () => {
  for (const code of ['57P02', '08006']) {
    const error = markLostBeforeCommit(postgresError(code)) as Error;
    expect(await run(false, error)).toEqual([5, nothing]);
  }
});

it('work that waited 35 seconds for a response is not tried again', async () => {
  expect(await run(true, driverError('Query read timeout'))).toEqual([1, nothing]);
});
