import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { createMany, kinds, sendBatch, type Kind } from '../../support/api/batches.js';
import type { Client } from '../../support/api/client.js';
import { eventually } from '../../support/eventually.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';
import { itRaces } from '../../support/it-races.js';

let galley: Galley;
let ada: Client;
let workspaceId: string;

beforeAll(async () => {
  galley = await startGalley({ environment: { DATABASE_POOL_SIZE: '20' } });
  ada = await galley.clientFor('ada');
  workspaceId = (await galley.createWorkspaceFor('ada')).id;
});
afterAll(() => galley.stop());

const BATCH_NUMBERS = Array.from({ length: 20 }, (_, number) => number);

function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, key: Math.random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item);
}

/**
 * The kinds of the events of each resource, in the order in which the events are relayed. The sequences of
 * these events must have no gaps.
 */
async function historiesOf(ids: readonly string[]): Promise<string[][]> {
  const rows = await galley.database.query<{ id: string; kind: string; sequence: number }>(
    'SELECT resource_id AS id, kind, sequence FROM outbox WHERE resource_id = ANY ($1) ORDER BY number',
    [ids],
  );
  return ids.map((id) => {
    const events = rows.filter((row) => row.id === id);
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
    return events.map(({ kind }) => kind.replace(/.*\./, ''));
  });
}

describe.each(kinds)('concurrent batches of $path', (kind: Kind) => {
  const send = (operations: object[]) => sendBatch(ada, kind, workspaceId, operations);

  itRaces('change the same resources in any order without a deadlock', async () => {
    const ids = await createMany(ada, kind, workspaceId, 30);
    const responses = await Promise.all(
      BATCH_NUMBERS.map((number) => {
        const update = { action: 'update', name: `B ${number}` };
        const create = { action: 'create', name: 'New', content: {} };
        return send([create, ...shuffled(ids).map((id) => ({ ...update, id }))]);
      }),
    );
    expect(responses.map(({ status }) => status)).toEqual(BATCH_NUMBERS.map(() => 200));
    const updates = BATCH_NUMBERS.map(() => 'updated');
    expect(await historiesOf(ids)).toEqual(ids.map(() => ['created', ...updates]));
    const versions = await galley.database.query<{ versions: number[] }>(
      `SELECT array_agg(version ORDER BY version) AS versions FROM document_versions
       WHERE document_id = ANY ($1) GROUP BY document_id`,
      [ids],
    );
    expect(versions).toEqual(
      ids.map(() => ({ versions: [1, ...BATCH_NUMBERS.map((n) => n + 2)] })),
    );
  });

  itRaces('with the same ETag have one winner', async () => {
    const ids = await createMany(ada, kind, workspaceId, 3);
    const reads = await Promise.all(ids.map((id) => ada.get(`${kind.path}/${id}`)));
    const etags = reads.map(({ headers }) => headers.get('etag'));
    const responses = await Promise.all(
      BATCH_NUMBERS.map((number) =>
        send(
          shuffled(
            ids.map((id, index) => ({
              action: 'update',
              id,
              name: `B ${number}`,
              ifMatch: etags[index],
            })),
          ),
        ),
      ),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([
      200,
      ...Array<number>(19).fill(412),
    ]);
    expect(await historiesOf(ids)).toEqual(ids.map(() => ['created', 'updated']));
  });

  itRaces(
    'and single requests leave no gap in the events, and no event after a deletion',
    async () => {
      const ids = await createMany(ada, kind, workspaceId, 40);
      const statuses = await Promise.all(
        BATCH_NUMBERS.flatMap((number) => {
          const [batchDeletedId = '', ...batchUpdatedIds] = shuffled(ids).slice(0, 4);
          const batch = batchUpdatedIds.map((id) => ({
            action: 'update',
            id,
            name: `B ${number}`,
          }));
          const [updatedId = '', deletedId = ''] = shuffled(ids);
          return [
            send([...batch, { action: 'delete', id: batchDeletedId }]).then(({ status }) => status),
            ada
              .put(`${kind.path}/${updatedId}`, { name: `C ${number}` })
              .then(({ status }) => status),
            ada.delete(`${kind.path}/${deletedId}`).then(({ status }) => status),
          ];
        }),
      );
      expect(statuses.filter((status) => ![200, 204, 404].includes(status))).toEqual([]);
      const finalReads = await Promise.all(ids.map((id) => ada.get(`${kind.path}/${id}`)));
      const histories = await historiesOf(ids);
      const deletionIndexes = histories.map((history) => history.indexOf('deleted'));
      expect(deletionIndexes).toEqual(
        finalReads.map(({ status }, index) =>
          status === 404 ? (histories[index]?.length ?? 0) - 1 : -1,
        ),
      );
    },
  );

  itRaces('finish before the deletion of their workspace, without a deadlock', async () => {
    const { id } = await galley.createWorkspaceFor('ada');
    const [lockedId = '', otherId = ''] = await createMany(ada, kind, id, 2);
    const releaseLock = await galley.database.holdLock(
      `SELECT FROM documents WHERE id = $1 FOR UPDATE`,
      [lockedId],
    );
    const waitForLockOn = (tablePrefix: string) =>
      eventually(`one to wait for ${tablePrefix}`, async () => {
        const lockWaiters = `pg_stat_activity WHERE datname = current_database()
          AND wait_event_type = 'Lock' AND query LIKE 'SELECT FROM ${tablePrefix} %'`;
        return (await galley.database.count(lockWaiters)) === 1;
      });
    const batch = sendBatch(ada, kind, id, [
      ...[lockedId, otherId].map((target) => ({ action: 'update', id: target, name: 'B' })),
      { action: 'create', name: 'New', content: {} },
    ]);
    await waitForLockOn('documents');
    const deletion = ada.delete(`/api/workspaces/${id}?force=true`);
    await waitForLockOn('workspaces');
    await releaseLock();
    expect([(await batch).status, (await deletion).status]).toEqual([200, 204]);
  });
});
