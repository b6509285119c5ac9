import { expect, it } from '@jest/globals';
import pg from 'pg';
import { createDurableDatabase } from '../harness.js';

it('commits in the databases of the benchmark wait for the disk', async () => {
  const database = await createDurableDatabase();
  const client = new pg.Client(database.url);
  await client.connect();
  const { rows } = await client.query('SHOW synchronous_commit');
  await client.end();
  await database.drop();
  expect(rows).toEqual([{ synchronous_commit: 'on' }]);
});
