import { afterAll, beforeAll, expect } from '@jest/globals';
import type { Client } from '../../support/api/client.js';
import { box } from '../../support/api/references.js';
import { eventually } from '../../support/eventually.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';
import { createResource } from '../../support/galley/resources.js';
import { itRaces } from '../../support/it-races.js';

let galley: Galley;
let ada: Client;

beforeAll(async () => {
  galley = await startGalley({ environment: { DATABASE_POOL_SIZE: '10' } });
  ada = await galley.clientFor('ada');
});
afterAll(() => galley.stop());

const createWorkspace = async () => (await galley.createWorkspaceFor('ada')).id;
const createModule = (workspaceId: string) =>
  createResource(ada, '/api/modules', { name: 'M', workspaceId, content: { type: 'text' } });
const put = (id: string, content: object) => ada.put(`/api/modules/${id}`, { content });

/** Ends the connections of the API first, because PostgreSQL counts the deadlocks of a connection at its end. */
async function countDeadlocks(): Promise<number> {
  const connections = await galley.database.query<{ pid: number }>(
    `SELECT pid, pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE application_name = 'galley api' AND datname = current_database()`,
  );
  const ended = connections.map(({ pid }) => pid).join();
  await eventually(
    'the connections to end',
    async () => (await galley.database.count(`pg_stat_activity WHERE pid IN (${ended})`)) === 0,
  );
  const [row] = await galley.database.query<{ count: number }>(
    'SELECT deadlocks::integer AS count FROM pg_stat_database WHERE datname = current_database()',
  );
  return row?.count ?? 0;
}

itRaces(
  'changes, restores, creations and batches of the same modules do not deadlock',
  async () => {
    const workspaceId = await createWorkspace();
    const used = await createModule(workspaceId);
    const users = [await createModule(workspaceId), await createModule(workspaceId)];
    await Promise.all(users.map((id) => put(id, box(used))));
    for (let round = 0; round < 20; round++) {
      const responses = await Promise.all([
        ...users.map((id) => put(id, { ...box(used), text: `PUT ${round}` })),
        ...users.map((id) => ada.post(`/api/modules/${id}/versions/2/restore`)),
        ada.post(`/api/modules/${users[0]}/duplicate`),
        ada.post('/api/modules/batch', {
          workspaceId,
          operations: users.map((id) => ({
            action: 'update',
            id,
            content: { ...box(used), text: `batch ${round}` },
          })),
        }),
      ]);
      expect(responses.filter(({ status }) => status >= 300)).toEqual([]);
    }
    expect(await countDeadlocks()).toBe(0);
  },
);

itRaces('a cycle of four modules in four workspaces is not closed', async () => {
  const modules: string[] = [];
  for (let index = 0; index < 4; index++) modules.push(await createModule(await createWorkspace()));
  const [a = '', b = '', c = '', d = ''] = modules;
  // A transaction inserts into the outbox together with its COMMIT, so it holds all its locks until then.
  const lockOutbox = () =>
    galley.database.holdLock('LOCK TABLE outbox IN SHARE ROW EXCLUSIVE MODE');
  const countWaiting = (condition = 'true') =>
    galley.database.count(
      `pg_locks WHERE NOT granted AND ${condition}
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    );
  const untilWaiting = (count: number) =>
    eventually(`${count} to wait`, async () => (await countWaiting()) >= count);
  const releaseFirst = await lockOutbox();
  const first = [put(b, box(c)), put(d, box(a))];
  await untilWaiting(2);
  const secondLock = lockOutbox();
  await untilWaiting(3);
  const second = [put(a, box(b)), put(c, box(d))];
  await untilWaiting(5);
  await releaseFirst();
  const releaseSecond = await secondLock;
  // One of the second changes has its locks and is about to commit, and the other one waits.
  await eventually(
    'one to reach the outbox',
    async () =>
      (await countWaiting("relation = 'outbox'::regclass")) > 0 && (await countWaiting()) > 1,
  );
  await releaseSecond();
  const responses = await Promise.all([...first, ...second]);
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 200, 400]);
});
