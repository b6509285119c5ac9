import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Database } from '#database';
import type { Client } from '../../support/api/client.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';
import {
  blocksOf,
  flattenPlan,
  RecordedStatements,
  type SqlValues,
} from '../../support/galley/recorded-statements.js';
import { createResource } from '../../support/galley/resources.js';
import { fillTrash } from '../../support/galley/trash.js';

// Rows in the workspace. The cost of a page must not grow with this number.
const ROWS = 20_000;
const LIMIT = 10;
const MIB = 1024 * 1024;
const BLOCK_BYTES = 8192;
// At most one block for each row, and the blocks on the path down the index to the first row.
const MAX_BLOCKS = 2 * LIMIT;

let galley: Galley;
let ada: Client;
let workspaceId: string;
let statements: RecordedStatements;

beforeAll(async () => {
  galley = await startGalley();
  ada = await galley.clientFor('ada');
  const ids = await Promise.all(
    [1, 2, 3].map(async () => (await galley.createWorkspaceFor('ada')).id),
  );
  workspaceId = ids[0] ?? '';
  await galley.database.query(
    `WITH reason AS (SELECT set_config('galley.no_event', 'not under test', true))
     INSERT INTO documents (id, kind, workspace_id, name, events, created_at, updated_at)
     SELECT gen_random_uuid(), kind, workspace_id, 'Name ' || number, 1,
       now() - number * interval '1 second', now() - number * 7919 % ${ROWS} * interval '1 second'
     FROM reason, unnest($1::uuid[], $2::integer[]) workspace (workspace_id, size),
       generate_series(1, size) number, unnest(ARRAY['template', 'module']) kind`,
    [ids, [ROWS, 500, 500]],
  );
  await galley.database.query(
    `INSERT INTO document_versions (document_id, kind, version, name, content, content_bytes, created_at)
     SELECT id, kind, version, name, '{}', 2, created_at FROM documents`,
  );
  await galley.database.query('VACUUM ANALYZE documents, document_versions');
  statements = new RecordedStatements(galley.api.get(Database), 'LATERAL');
});
afterAll(() => galley.stop());

const kindOf = (list: string) => (list === 'templates' ? 'template' : 'module');

const sortOrders = [
  ['updatedAt', 'newest_first', 'updated_at'],
  ['createdAt', 'by_creation', 'created_at'],
  ['name', 'by_name', 'name'],
] as const;

it.each(
  ['templates', 'modules'].flatMap((list) =>
    sortOrders.flatMap(([field, index, column]) =>
      ['', '-'].map((sign) => [list, sign + field, `documents_${index}`, column] as const),
    ),
  ),
)(
  'a page of %s by %s reads only its own rows of the index %s',
  async (list, sort, index, column) => {
    const path = `/api/${list}?workspaceId=${workspaceId}&limit=${LIMIT}&sort=${sort}`;
    const since = '&updatedSince=2020-01-01T00:00:00Z';
    for (const filter of ['&content=false', `&content=false${since}`, '', since]) {
      await ada.get(path + filter);
      const [middleRow] = await galley.database.query<{ key: Date | string; id: string }>(
        `SELECT ${column} AS key, id FROM documents WHERE workspace_id = $1 AND kind = '${kindOf(list)}'
       ORDER BY ${column === 'name' ? 'lower(name) COLLATE "C"' : column}, id OFFSET ${ROWS / 2} LIMIT 1`,
        [workspaceId],
      );
      const [actor, workspace, , , ...rest] = statements.last.values;
      for (const values of [
        statements.last.values,
        [actor, workspace, middleRow?.key, middleRow?.id, ...rest],
      ]) {
        // A filter numbers the rows, for which PostgreSQL 15 reads one row ahead.
        const isFiltered = filter.includes('updatedSince') && column !== 'updated_at';
        const rows = [LIMIT + 1, LIMIT + 1 + Number(isFiltered)];
        expect(rows).toContain(await rowsReadByScan('documents', index, values));
      }
    }
  },
);

it.each(
  ['templates', 'modules'].flatMap((list) => [
    [list, 'updatedAt', ROWS / 2, LIMIT + 1] as const,
    [list, '-updatedAt', 3, 3] as const,
  ]),
)('a page of %s by %s reads no rows before updatedSince', async (list, sort, rowNumber, rows) => {
  const [since] = await galley.database.query<{ at: Date }>(
    `SELECT updated_at AS at FROM documents WHERE workspace_id = $1 AND kind = '${kindOf(list)}'
     ORDER BY updated_at DESC OFFSET $2 LIMIT 1`,
    [workspaceId, rowNumber - 1],
  );
  const path = `/api/${list}?workspaceId=${workspaceId}&content=false&limit=${LIMIT}&sort=${sort}`;
  await ada.get(`${path}&updatedSince=${since?.at.toISOString()}`);
  expect(await rowsReadByScan('documents', 'documents_newest_first', statements.last.values)).toBe(
    rows,
  );
});

it.each(['search=no+such+name', `createdBy=${randomUUID()}`, 'published=true&search=no+such+name'])(
  'a page with %s scans at most 5,000 rows',
  async (filter) => {
    await ada.get(`/api/templates?workspaceId=${workspaceId}&content=false&${filter}`);
    const nodes = flattenPlan(await statements.planOf(statements.last.values));
    const rows = nodes
      .filter((node) => node['Relation Name'] === 'documents')
      .map((node) => node['Actual Rows'] * node['Actual Loops']);
    // PostgreSQL reads one row ahead to number the rows.
    expect(Math.max(...rows)).toBeLessThanOrEqual(5_001);
  },
);

it.each(['all', 'any'])(
  'a page of documents with %s of two tags reads only these',
  async (match) => {
    await galley.database.query(
      `WITH reason AS (SELECT set_config('galley.no_event', 'not under test', true))
     UPDATE documents SET tags = '{rare,rarer}' FROM reason
     WHERE kind = 'template' AND name LIKE 'Name %0000'`,
    );
    await galley.database.query('VACUUM ANALYZE document_tags');
    const tags = `tags=rare,rarer&tagsMatch=${match}`;
    const { body } = await ada.get<{ data: [] }>(
      `/api/templates?workspaceId=${workspaceId}&content=false&${tags}`,
    );
    expect(body.data).toHaveLength(2);
    const plan = await statements.planOf(statements.last.values);
    const scan = flattenPlan(plan).find((node) => node['Index Name'] === 'documents_newest_first');
    expect(scan?.['Actual Loops']).toBe(0);
    expect(blocksOf(plan)).toBeLessThan(5 * MAX_BLOCKS);
  },
);

it('a page of the trash reads only its own rows, and none that has expired', async () => {
  await fillTrash(galley.database, workspaceId, ROWS);
  await galley.database.query(
    `UPDATE trashed_documents SET expires_at = expires_at - interval '30 days' WHERE id = ANY (ARRAY(
       SELECT id FROM trashed_documents ORDER BY expires_at LIMIT $1))`,
    [ROWS / 2],
  );
  await galley.database.query('VACUUM ANALYZE trashed_documents');
  await ada.get(`/api/trash?workspaceId=${workspaceId}&limit=${LIMIT}`);
  const [actor, workspace, , , limit] = statements.last.values;
  const positions = await galley.database.query<{ at: Date; id: string }>(
    `SELECT expires_at AS at, id FROM trashed_documents WHERE expires_at > now()
     ORDER BY expires_at DESC, id DESC OFFSET $1`,
    [ROWS / 2 - 4],
  );
  const index = 'trashed_documents_latest_first';
  for (const [values, rows] of [
    [statements.last.values, LIMIT + 1],
    [[actor, workspace, positions[0]?.at, positions[0]?.id, limit], 3],
  ] as const) {
    expect(await rowsReadByScan('trashed_documents', index, values)).toBe(rows);
  }
});

it.each(['templates', 'modules', 'versions'])(
  'a page of %s reads only the documents that it returns',
  async (list) => {
    const { id } = await galley.createWorkspaceFor('ada');
    const path = `/api/${list === 'modules' ? 'modules' : 'templates'}`;
    const documents = Array.from({ length: 12 }, () => ({
      // Random text, which PostgreSQL cannot compress. PostgreSQL must read such a text to know its size.
      content: { text: randomBytes((3 * MIB) / 4 - 1024).toString('base64') },
    }));
    let templateId = '';
    for (const document of documents) {
      if (list === 'versions' && templateId !== '') {
        await ada.put(`${path}/${templateId}`, document);
      } else
        templateId = await createResource(ada, path, {
          name: 'Large',
          workspaceId: id,
          ...document,
        });
    }
    const query = `limit=100&content=true&workspaceId=${id}`;
    const { status } = await ada.get(
      list === 'versions'
        ? `${path}/${templateId}/versions?limit=100&content=true`
        : `${path}?${query}`,
    );
    expect(status).toBe(200);
    const plan = await statements.planOf(statements.last.values);
    const blocks = blocksOf(plan);
    // The page reads four documents of 1 MiB, the index of their parts, and a few other blocks.
    expect(blocks).toBeGreaterThan((3 * MIB) / BLOCK_BYTES);
    expect(blocks).toBeLessThan((5 * MIB) / BLOCK_BYTES);
  },
);

/** How many rows the index scan of the list returns. The scan must read few other rows. */
async function rowsReadByScan(list: string, index: string, values: SqlValues) {
  const nodes = flattenPlan(await statements.planOf(values));
  const scan = nodes.find((node) => node['Relation Name'] === list);
  expect(scan).toMatchObject({ 'Node Type': 'Index Scan', 'Index Name': index });
  const blocks = (scan?.['Shared Hit Blocks'] ?? NaN) + (scan?.['Shared Read Blocks'] ?? NaN);
  expect(blocks).toBeLessThanOrEqual(MAX_BLOCKS);
  return scan?.['Actual Rows'];
}
