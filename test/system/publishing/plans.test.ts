import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Database } from '#database';
import pg from 'pg';
import type { Client } from '../../support/api/client.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';
import { createResource } from '../../support/galley/resources.js';

// Rows of the template, of the workspace and of other templates. The cost of a request must not grow with them.
const ROWS = 20_000;
const LIMIT = 10;
const MAX_BLOCKS = 60;

interface PlanNode {
  'Node Type': string;
  'Index Name'?: string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: PlanNode[];
}

let galley: Galley;
let ada: Client;
let workspaceId: string;
let template: string;
let statement: { text: string; values: unknown[] };

beforeAll(async () => {
  galley = await startGalley();
  ada = await galley.clientFor('ada');
  workspaceId = (await galley.createWorkspaceFor('ada')).id;
  const id = await createResource(ada, '/api/templates', { name: 'A', workspaceId });
  template = `/api/templates/${id}`;
  await ada.post(`${template}/publish`, { version: 1 });
  const [user] = await galley.database.query<{ id: string }>('SELECT id FROM users');
  await galley.database.query(
    `WITH reason AS (SELECT set_config('galley.no_event', 'not under test', true))
     INSERT INTO templates (id, workspace_id, name)
     SELECT gen_random_uuid(), $1, 'T ' || n FROM reason, generate_series(1, ${ROWS}) n`,
    [workspaceId],
  );
  await galley.database.query(
    `INSERT INTO template_versions (template_id, version, name, content, created_by)
     SELECT id, 1, name, '{}', $1 FROM templates ON CONFLICT DO NOTHING`,
    [user?.id],
  );
  await galley.database.query(
    `INSERT INTO template_pointers (template_id, environment, workspace_id, version, number, published_at)
     SELECT id, 'production', workspace_id, 1, 1, now() FROM templates ON CONFLICT DO NOTHING`,
  );
  for (const [templates, count] of [
    ['SELECT $1::uuid AS id', ROWS],
    ['SELECT id FROM templates WHERE id <> $1', 1],
  ] as const) {
    await galley.database.query(
      `INSERT INTO template_publications (template_id, number, id, environment, version, note, at, created_by,
         created_at)
       SELECT templates.id, 1 + n, gen_random_uuid(), CASE n % 2 WHEN 0 THEN 'staging' ELSE 'production' END,
         1, '', now(), $2, now()
       FROM (${templates}) templates, generate_series(1, ${count}) n`,
      [id, user?.id],
    );
    await galley.database.query(
      `INSERT INTO scheduled_publications (id, template_id, environment, workspace_id, version, note, at,
         created_by, created_at)
       SELECT gen_random_uuid(), templates.id, 'production', $3, 1, '', now() + n * interval '1 minute', $2, now()
       FROM (${templates}) templates, generate_series(1, ${count}) n`,
      [id, user?.id, workspaceId],
    );
  }
  await galley.database.query(
    'VACUUM ANALYZE templates, template_versions, template_pointers, template_publications, scheduled_publications',
  );
  const database = galley.api.get(Database);
  const { query } = database;
  Object.assign(database, {
    query: (text: string, values: unknown[] = []) => {
      statement = { text, values };
      return query(text, values);
    },
  });
});
afterAll(() => galley.stop());

async function planOf(values: unknown[]): Promise<PlanNode> {
  const literals = values.map((value) => pg.escapeLiteral(String(value)));
  return galley.api.get(Database).withClient(async (client) => {
    await client.query(`PREPARE planned AS ${statement.text}`);
    await client.query(`SET plan_cache_mode = force_generic_plan`);
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE planned (${literals.join(', ')})`,
    );
    await client.query('RESET plan_cache_mode');
    await client.query('DEALLOCATE planned');
    return rows[0]?.['QUERY PLAN'][0].Plan as PlanNode;
  });
}

const flattenPlan = (node: PlanNode): PlanNode[] => [
  node,
  ...(node.Plans ?? []).flatMap(flattenPlan),
];

it.each([
  ['publications?', 'template_publications', 'template_publications_pkey', LIMIT + 1],
  [
    'publications?environment=staging&',
    'template_publications',
    'template_publications_of_environment',
    LIMIT + 1,
  ],
  [
    'publications/scheduled?',
    'scheduled_publications',
    'scheduled_publications_of_template',
    LIMIT + 1,
  ],
  ['published?', 'template_pointers', 'template_pointers_pkey', 1],
])('GET %s reads only its own rows of %s by the index %s', async (path, table, index, rows) => {
  const query = path.startsWith('published?') ? '' : `limit=${LIMIT}`;
  expect((await ada.get(`${template}/${path}${query}`)).status).toBe(200);
  await expectScan(table, index, rows);
});

it('what is scheduled in a workspace is read by the index of the workspace', async () => {
  const path = `/api/workspaces/${workspaceId}/publications/scheduled?limit=${LIMIT}`;
  const { body } = await ada.get<{ nextCursor: string }>(path);
  await expectScan('scheduled_publications', 'scheduled_publications_of_workspace', LIMIT + 1);
  await ada.get(`${path}&cursor=${body.nextCursor}`);
  await expectScan('scheduled_publications', 'scheduled_publications_of_workspace', LIMIT + 1);
});

async function expectScan(table: string, index: string, rows: number): Promise<void> {
  const nodes = flattenPlan(await planOf(statement.values));
  const scan = nodes.find((node) => node['Relation Name'] === table);
  expect(scan).toMatchObject({ 'Index Name': index, 'Actual Rows': rows });
  const root = nodes[0];
  const blocks = (root?.['Shared Hit Blocks'] ?? NaN) + (root?.['Shared Read Blocks'] ?? NaN);
  expect(blocks).toBeLessThanOrEqual(MAX_BLOCKS);
}
