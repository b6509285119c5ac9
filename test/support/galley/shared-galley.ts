import { randomUUID } from 'node:crypto';
import { afterAll } from '@jest/globals';
import pg from 'pg';
import { signToken, type Signer } from '../identity/issuer.js';
import { runningGalley, type RunningGalley } from './running-galley.js';

/** The content of GALLEY_TEST_SHARED, which the set-up of the project `api` sets. */
interface SharedServers {
  url: string;
  databaseUrl: string;
  signer: Signer;
}

/** The API and the worker that all tests of the project `api` share. */
export interface SharedGalley extends RunningGalley {
  /** Other tests write to the database at the same time, so a statement names the rows of this file. */
  query<Row extends object>(text: string, values?: unknown[]): Promise<Row[]>;
  /** The events of a workspace or of a resource in their order, whether or not the worker has relayed them. */
  eventsOf<Data = object>(id: string): Promise<StoredEvent<Data>[]>;
  tokenOf(name: string): Promise<string>;
}

interface StoredEvent<Data> {
  kind: string;
  sequence: number;
  data: Data;
}

const EVENTS = `SELECT kind, sequence, data FROM (
    SELECT position, NULL::bigint AS number, kind, sequence, data FROM events
      WHERE $1 IN (workspace_id, resource_id)
    UNION ALL
    SELECT position, number, kind, sequence, data FROM outbox
      WHERE $1 IN (workspace_id, resource_id) AND position IS NULL
  ) event ORDER BY position, number`;

/** Each file has users of its own: `ada` of one file is not `ada` of another. */
export function useSharedGalley(): SharedGalley {
  const { url, databaseUrl, signer } = JSON.parse(
    process.env['GALLEY_TEST_SHARED'] ?? '',
  ) as SharedServers;
  const file = randomUUID().slice(0, 8);
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 });
  afterAll(() => pool.end());
  const query = async <Row extends object>(text: string, values?: unknown[]) =>
    (await pool.query<Row>(text, values)).rows;
  const tokenOf = (name: string) => signToken(signer, `${name}-${file}`);
  return {
    ...runningGalley(url, tokenOf),
    query,
    eventsOf: <Data>(id: string) => query<StoredEvent<Data>>(EVENTS, [id]),
    tokenOf,
  };
}
