import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { migrate } from '#database';
import { Relay } from '#webhooks';
import pg from 'pg';
import {
  ensureDatabase,
  startPostgres,
  type Postgres,
} from '../../../apps/standalone/postgres/postgres.js';
import { eventually } from '../../support/eventually.js';
import { startEngine } from '../../engine/support/engine.js';

const DATABASE = 'galley';

let folder: string;
let postgres: Postgres;
let client: pg.Client;

/** A PostgreSQL whose synchronous standby never responds. Only asynchronous commits succeed. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'galley-standby-'));
  postgres = await startPostgres({ dataDir: folder, flags: ['-c', 'fsync=off'] });
  await ensureDatabase(postgres, DATABASE);
  await migrate(postgres.urlOf(DATABASE));
  client = new pg.Client(postgres.urlOf(DATABASE));
  await client.connect();
  await client.query(`ALTER DATABASE ${DATABASE} SET synchronous_commit = off`);
  await client.query('SET synchronous_commit = off');
  await setStandby('absent');
});
afterAll(async () => {
  await client.end();
  await postgres.stop();
  await rm(folder, { recursive: true, maxRetries: 10 });
});

async function setStandby(name: string): Promise<void> {
  await client.query(`ALTER SYSTEM SET synchronous_standby_names = '${name}'`);
  await client.query('SELECT pg_reload_conf()');
  await eventually('the setting', async () => {
    const { rows } = await client.query<Record<string, string>>('SHOW synchronous_standby_names');
    return rows[0]?.['synchronous_standby_names'] === name;
  });
}

it('a position of the feed is visible only once a synchronous standby has it', async () => {
  const [workspaceId, resourceId] = [randomUUID(), randomUUID()];
  await client.query(`INSERT INTO workspaces (id, name) VALUES ($1, 'A')`, [workspaceId]);
  await client.query(
    `INSERT INTO workspace_feeds (workspace_id) VALUES ($1) ON CONFLICT DO NOTHING`,
    [workspaceId],
  );
  await client.query(
    `INSERT INTO outbox (id, kind, workspace_id, resource_id, sequence, data)
     VALUES (gen_random_uuid(), 'template.created', $1, $2, 1, '{}')`,
    [workspaceId, resourceId],
  );
  const countEvents = async () =>
    (await client.query('SELECT FROM events WHERE workspace_id = $1', [workspaceId])).rowCount;
  const isRelayWaiting = async () =>
    (
      await client.query(
        `SELECT FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND datname = current_database()`,
      )
    ).rowCount === 1;
  const engine = await startEngine(postgres.urlOf(DATABASE), 'public');

  let isRelayed = false;
  const relayed = engine
    .get(Relay, { strict: false })
    .startWalk()
    .relayChunk()
    .then(({ relayedCount }) => {
      isRelayed = true;
      return relayedCount;
    });
  await eventually(
    'the relay to wait or to end',
    async () => isRelayed || (await isRelayWaiting()),
  );
  // A standby that is promoted now has no such position, and gives it to another event.
  expect(await countEvents()).toBe(0);

  await setStandby('');
  expect(await relayed).toBe(1);
  expect(await countEvents()).toBe(1);
  await engine.close();
});
