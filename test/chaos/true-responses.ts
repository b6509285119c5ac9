import { expect } from '@jest/globals';
import pg from 'pg';
import { eventually } from '../support/eventually.js';
import type { Ledger } from './ledger.js';
import type { Writers } from './writers.js';

interface Run {
  writers: Writers;
  ledger: Ledger;
  databaseUrl: string;
}

/** Compares what the API said with what is in the database. */
export async function expectTrueResponses({ writers, ledger, databaseUrl }: Run): Promise<void> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  const { rows } = await client.query<{ id: string; name: string }>(
    `SELECT id, name FROM documents WHERE kind = 'template'`,
  );
  await eventually('all attempts to be recorded', async () => {
    const left = await client.query<{ count: number }>(
      'SELECT count(*)::integer AS count FROM webhook_deliveries',
    );
    return left.rows[0]?.count === 0;
  });
  await client.end();
  const timesByName = Map.groupBy(rows, ({ name }) => name);
  const times = (name: string) => timesByName.get(name)?.length ?? 0;
  expect(writers.createdNames.filter((name) => times(name) !== 1)).toEqual([]);
  expect(writers.refusedNames.filter((name) => times(name) !== 0)).toEqual([]);
  const ids = new Set(rows.map(({ id }) => id));
  expect([...ledger.arrivedResources].filter((id) => !ids.has(id))).toEqual([]);
}

// The name of a template is a UUID. Its words are between the dashes.
const NOT_FOUND = `SELECT name FROM documents document WHERE NOT EXISTS (
    SELECT FROM document_words WHERE document_id = document.id AND name_words LIKE ALL (ARRAY(
      SELECT '% ' || word || ' %' FROM unnest(string_to_array(document.name, '-')) word
    ))
  )`;

/** The search has followed every change, also those during which a worker was killed. */
export async function expectSearchToFollow({ databaseUrl }: Run): Promise<void> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  await eventually('the search to follow', async () => {
    const { rowCount } = await client.query('SELECT FROM documents_to_index LIMIT 1');
    return rowCount === 0;
  });
  const { rows } = await client.query(NOT_FOUND);
  await client.end();
  expect(rows).toEqual([]);
}
