import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { Database } from '#database';
import {
  endpointSorts,
  LIST_WAITING_WORKSPACES,
  listEndpointBacklogs,
  MAX_COUNTED,
  type EndpointSort,
} from '#webhooks';
import { flattenPlan, type PlanNode } from '../support/galley/recorded-statements.js';
import { PreparedDatabase } from './support/prepared-database.js';

let database: PreparedDatabase;

beforeAll(async () => {
  database = await PreparedDatabase.start();
});
afterAll(() => database.stop());
beforeEach(() => database.query('TRUNCATE webhook_endpoints, webhook_deliveries, outbox CASCADE'));

interface Row {
  webhookId: string;
  workspaceId: string;
  waiting: number;
  isCapped: boolean;
}

// The engine's own connections have the settings under which the statements run.
const run = <Result extends object = Row>(statement: string, values: unknown[]) =>
  database.get(Database).query<Result>(statement, values);
const list = (sort: EndpointSort, workspaceId: string | null = null) =>
  run(listEndpointBacklogs(sort, workspaceId !== null), [20, workspaceId]);

it('endpoints are sorted by backlog, by their oldest delivery and by the time that they fail', async () => {
  const idle = await database.prepare({});
  const large = await database.prepare({
    deliveries: { a: { event_relayed_at: -10 }, b: { event_relayed_at: -5 } },
  });
  const old = await database.prepare({ deliveries: { a: { event_relayed_at: -900 } } });
  const failing = await database.prepare({
    endpoint: { status: 'failing' },
    traffic: { failures: 7, failing_since: -600 },
  });
  const failingLonger = await database.prepare({
    endpoint: { status: 'failing' },
    traffic: { failures: 9, failing_since: -6_000 },
  });
  const ids = async (sort: EndpointSort) => (await list(sort)).map(({ webhookId }) => webhookId);
  expect(await ids('backlog')).toEqual([large.id, old.id]);
  expect(await ids('oldest')).toEqual([old.id, large.id]);
  expect(await ids('failing')).toEqual([failingLonger.id, failing.id]);
  expect(await list('backlog', idle.workspaceId)).toEqual([
    expect.objectContaining({ webhookId: idle.id, waiting: 0, host: 'receiver.example' }),
  ]);
});

it('a backlog larger than what is counted has its mark, and no statement reads a whole table', async () => {
  const [huge, small] = [
    await database.prepare({}),
    await database.prepare({ deliveries: { a: {} } }),
  ];
  await database.query(
    `INSERT INTO webhook_deliveries (endpoint_id, id, workspace_id, event_position,
       event_relayed_at, event_id, kind, resource_id, sequence, due_at)
     SELECT $1, gen_random_uuid(), $2, 1, now(), gen_random_uuid(), 'template.created',
       gen_random_uuid(), 1, now() FROM generate_series(1, ${MAX_COUNTED + 10})`,
    [huge.id, huge.workspaceId],
  );
  await database.query(
    `INSERT INTO outbox (workspace_id, id, kind, resource_id, sequence, data)
     SELECT $1, gen_random_uuid(), 'template.created', gen_random_uuid(), 1, '{}'
     FROM generate_series(1, 1000)`,
    [small.workspaceId],
  );
  await database.query('ANALYZE');
  expect(await list('backlog')).toEqual([
    expect.objectContaining({ webhookId: huge.id, waiting: MAX_COUNTED, isCapped: true }),
    expect.objectContaining({ webhookId: small.id, waiting: 1, isCapped: false }),
  ]);
  const workspaces = await run(LIST_WAITING_WORKSPACES, [20, null, 'outbox']);
  expect(workspaces).toEqual([
    expect.objectContaining({ workspaceId: small.workspaceId, waiting: 1, outbox: 1_000 }),
    expect.objectContaining({ workspaceId: huge.workspaceId, waiting: MAX_COUNTED, outbox: 0 }),
  ]);
  for (const sort of endpointSorts) {
    for (const workspaceId of [null, huge.workspaceId]) {
      const statement = listEndpointBacklogs(sort, workspaceId !== null);
      expect(await scannedTables(statement, '(20, NULL)')).toEqual([]);
    }
  }
  expect(await scannedTables(LIST_WAITING_WORKSPACES, `(20, NULL, 'backlog')`)).toEqual([]);
});

async function scannedTables(statement: string, values: string): Promise<unknown[]> {
  return database.get(Database).withClient(async (client) => {
    await client.query(`PREPARE plan AS ${statement}`);
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `EXPLAIN (FORMAT JSON) EXECUTE plan ${values}`,
    );
    await client.query('DEALLOCATE plan');
    return flattenPlan(rows[0]?.['QUERY PLAN'][0].Plan as PlanNode)
      .filter((node) => node['Node Type'] === 'Seq Scan')
      .map((node) => node['Relation Name']);
  });
}
