import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Database } from '#database';
import type { Client } from '../../support/api/client.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';
import { createResource } from '../../support/galley/resources.js';

const VERSIONS = 10_000;
// The member, the module, the version, and the paths down their indexes.
const MAX_BLOCKS = 30;

let galley: Galley;
let ada: Client;

beforeAll(async () => {
  galley = await startGalley();
  ada = await galley.clientFor('ada');
});
afterAll(() => galley.stop());

it('the version of a module at a time is found without reading the later versions', async () => {
  const workspaceId = (await galley.createWorkspaceFor('ada')).id;
  const fields = { name: 'A', workspaceId };
  const moduleId = await createResource(ada, '/api/modules', {
    ...fields,
    content: { text: 'One' },
  });
  const template = await createResource(ada, '/api/templates', {
    ...fields,
    content: { blocks: [{ type: 'module', moduleId }] },
  });
  await galley.database.query(
    `INSERT INTO document_versions (document_id, kind, version, name, content, content_bytes, created_at)
     SELECT $1, 'module', version, '', '{}', 2, now() + version * interval '1 second'
     FROM generate_series(2, $2::integer) version`,
    [moduleId, VERSIONS],
  );
  await galley.database.query('VACUUM ANALYZE document_versions');

  const database = galley.api.get(Database);
  const { query } = database;
  let blocks: number | undefined;
  Object.assign(database, {
    query: async (text: string, values: unknown[]) => {
      if (text.includes('unnest($2::uuid[]')) {
        const [row] = await query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
          `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`,
          values,
        );
        const plan = row?.['QUERY PLAN'][0].Plan;
        blocks = (plan?.['Shared Hit Blocks'] ?? NaN) + (plan?.['Shared Read Blocks'] ?? NaN);
      }
      return query(text, values);
    },
  });
  const path = `/api/templates/${template}/versions/1?expand=modules`;
  expect((await ada.get(path)).text).toContain('One');
  expect(blocks).toBeLessThan(MAX_BLOCKS);
});
