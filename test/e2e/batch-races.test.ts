import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { createSome, kinds, sendBatch, type Kind } from '../support/batches.js';
import type { Client } from '../support/client.js';
import { eventually } from '../support/eventually.js';
import { startGalley, type Galley } from '../support/galley.js';

let galley: Galley;
let ada: Client;
let workspaceId: string;

beforeAll(async () => {
  galley = await startGalley({ environment: { DATABASE_POOL_SIZE: '20' } });
  ada = await galley.as('ada');
  workspaceId = (await galley.workspaceOf('ada')).id;
});
afterAll(() => galley.stop());

const BATCHES = Array.from({ length: 20 }, (_, number) => number);

function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, key: Math.random() }))
    .sort((one, other) => one.key - other.key)
    .map(({ item }) => item);
}

/** Of each resource the events in the order in which they are relayed: their kinds, numbered without gaps. */
async function historiesOf(ids: readonly string[]): Promise<string[][]> {
  const rows = await galley.database.query<{ id: string; kind: string; sequence: number }>(
    'SELECT resource_id AS id, kind, sequence FROM outbox WHERE resource_id = ANY ($1) ORDER BY number',
    [ids],
  );
  return ids.map((id) => {
    const events = rows.filter((row) => row.id === id);
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, at) => at + 1));
    return events.map(({ kind }) => kind.replace(/.*\./, ''));
  });
}

describe.each(kinds)('batches of $path at the same time', (kind: Kind) => {
  const send = (operations: object[]) => sendBatch(ada, kind, workspaceId, operations);

  it('all change the same resources, whatever the order in which they name them', async () => {
    const ids = await createSome(ada, kind, workspaceId, 30);
    const answers = await Promise.all(
      BATCHES.map((number) => {
        const change = { action: 'update', name: `B ${number}` };
        const create = { action: 'create', name: 'New', content: {} };
        return send([create, ...shuffled(ids).map((id) => ({ ...change, id }))]);
      }),
    );
    expect(answers.map(({ status }) => status)).toEqual(BATCHES.map(() => 200));
    const updates = BATCHES.map(() => 'updated');
    expect(await historiesOf(ids)).toEqual(ids.map(() => ['created', ...updates]));
    if (kind.name === 'module') return;
    const versions = await galley.database.query<{ versions: number[] }>(
      `SELECT array_agg(version ORDER BY version) AS versions FROM template_versions
       WHERE template_id = ANY ($1) GROUP BY template_id`,
      [ids],
    );
    expect(versions).toEqual(ids.map(() => ({ versions: [1, ...BATCHES.map((n) => n + 2)] })));
  });

  it('leave one winner among those who have seen the same state', async () => {
    const ids = await createSome(ada, kind, workspaceId, 3);
    const seen = await Promise.all(ids.map((id) => ada.get(`${kind.path}/${id}`)));
    const tags = seen.map(({ headers }) => headers.get('etag'));
    const answers = await Promise.all(
      BATCHES.map((number) =>
        send(
          shuffled(
            ids.map((id, at) => ({
              ...{ action: 'update', id, name: `B ${number}` },
              ifMatch: tags[at],
            })),
          ),
        ),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([
      200,
      ...Array<number>(19).fill(412),
    ]);
    expect(await historiesOf(ids)).toEqual(ids.map(() => ['created', 'updated']));
  });

  it('and single changes and deletions leave no gap and nothing behind an end', async () => {
    const ids = await createSome(ada, kind, workspaceId, 40);
    const statuses = await Promise.all(
      BATCHES.flatMap((number) => {
        const [deleted = '', ...others] = shuffled(ids).slice(0, 4);
        const batch = others.map((id) => ({ action: 'update', id, name: `B ${number}` }));
        const [one = '', other = ''] = shuffled(ids);
        return [
          send([...batch, { action: 'delete', id: deleted }]).then(({ status }) => status),
          ada.put(`${kind.path}/${one}`, { name: `C ${number}` }).then(({ status }) => status),
          ada.delete(`${kind.path}/${other}`).then(({ status }) => status),
        ];
      }),
    );
    expect(statuses.filter((status) => ![200, 204, 404].includes(status))).toEqual([]);
    const there = await Promise.all(ids.map((id) => ada.get(`${kind.path}/${id}`)));
    const histories = await historiesOf(ids);
    const ends = histories.map((history) => history.indexOf('deleted'));
    expect(ends).toEqual(
      there.map(({ status }, at) => (status === 404 ? (histories[at]?.length ?? 0) - 1 : -1)),
    );
  });

  it('are waited for by the deletion of their workspace, which holds nothing that they need', async () => {
    const { id } = await galley.workspaceOf('ada');
    const [held = '', other = ''] = await createSome(ada, kind, id, 2);
    const holder = new pg.Client(galley.database.url);
    await holder.connect();
    await holder.query('BEGIN');
    await holder.query(`SELECT FROM ${kind.name}s WHERE id = $1 FOR UPDATE`, [held]);
    const waiting = (what: string) =>
      eventually(`one to wait for ${what}`, async () => {
        const found = `pg_stat_activity WHERE datname = current_database()
          AND wait_event_type = 'Lock' AND query LIKE 'SELECT FROM ${what} %'`;
        return (await galley.database.count(found)) === 1;
      });
    const batch = sendBatch(ada, kind, id, [
      ...[held, other].map((target) => ({ action: 'update', id: target, name: 'B' })),
      { action: 'create', name: 'New', content: {} },
    ]);
    await waiting(`${kind.name}s`);
    const deletion = ada.delete(`/api/workspaces/${id}?force=true`);
    await waiting('workspaces');
    await holder.end();
    expect([(await batch).status, (await deletion).status]).toEqual([200, 204]);
  });
});
