import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Database } from '#database';
import type { Client } from '../../support/api/client.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';
import {
  blocksOf,
  flattenPlan,
  RecordedStatements,
} from '../../support/galley/recorded-statements.js';
import { createResource } from '../../support/galley/resources.js';

// Rows of the template, of the workspace and of other templates. The cost of a request must not grow with them.
const ROWS = 20_000;
const LIMIT = 10;
const MAX_BLOCKS = 60;

let galley: Galley;
let ada: Client;
let workspaceId: string;
let template: string;
let statements: RecordedStatements;

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
     INSERT INTO documents (id, kind, workspace_id, name, events, created_at, updated_at)
     SELECT gen_random_uuid(), 'template', $1, 'T ' || n, 1, now(), now() FROM reason, generate_series(1, ${ROWS}) n`,
    [workspaceId],
  );
  await galley.database.query(
    `INSERT INTO document_versions (document_id, kind, version, name, content, content_bytes, created_at)
     SELECT id, kind, 1, name, '{}', 2, now() FROM documents ON CONFLICT DO NOTHING`,
  );
  await galley.database.query(
    `INSERT INTO template_pointers (template_id, environment, workspace_id, version, number, published_at)
     SELECT id, 'production', workspace_id, 1, 1, now() FROM documents ON CONFLICT DO NOTHING`,
  );
  for (const [templates, count] of [
    ['SELECT $1::uuid AS id', ROWS],
    ['SELECT id FROM documents WHERE id <> $1', 1],
  ] as const) {
    await galley.database.query(
      `INSERT INTO template_publications (template_id, number, id, environment, version, note, at, created_by,
         created_at)
       SELECT templates.id, 2 + n, gen_random_uuid(), CASE n % 2 WHEN 0 THEN 'staging' ELSE 'production' END,
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
    'VACUUM ANALYZE documents, document_versions, template_pointers, template_publications, scheduled_publications',
  );
  statements = new RecordedStatements(galley.api.get(Database));
});
afterAll(() => galley.stop());

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
  const plan = await statements.planOf(statements.last.values, 'force_generic_plan');
  const scan = flattenPlan(plan).find((node) => node['Relation Name'] === table);
  expect(scan).toMatchObject({ 'Index Name': index, 'Actual Rows': rows });
  expect(blocksOf(plan)).toBeLessThanOrEqual(MAX_BLOCKS);
}
