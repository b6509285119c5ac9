import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Database } from '#database';
import pg from 'pg';
import type { Client } from '../../support/api/client.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';
import { createResource } from '../../support/galley/resources.js';

// Rows in the workspace. The cost of a page must not grow with them.
const ROWS = 20_000;
const LIMIT = 10;
const MIB = 1024 * 1024;
const BLOCK_BYTES = 8192;
// One block for each row at most, and the path down the index to the first row.
const MAX_BLOCKS = 2 * LIMIT;

type SqlValue = string | number | Date | undefined;
type SqlValues = readonly SqlValue[];

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
/** The statement of the latest list request. */
let lastListStatement: { text: string; values: SqlValues };

beforeAll(async () => {
  galley = await startGalley();
  ada = await galley.clientFor('ada');
  const ids = await Promise.all(
    [1, 2, 3].map(async () => (await galley.createWorkspaceFor('ada')).id),
  );
  workspaceId = ids[0] ?? '';
  for (const [table, columns, values] of [
    ['templates', '', ''],
    ['modules', ', category, description, content, events', `, '', '', '{}', 1`],
  ] as const) {
    await galley.database.query(
      `WITH reason AS (SELECT set_config('galley.no_event', 'not under test', true))
       INSERT INTO ${table} (id, workspace_id, name, created_at, updated_at ${columns})
       SELECT gen_random_uuid(), workspace_id, 'Name ' || number,
         now() - number * interval '1 second', now() - number * 7919 % ${ROWS} * interval '1 second' ${values}
       FROM reason, unnest($1::uuid[], $2::integer[]) workspace (workspace_id, size),
         generate_series(1, size) number`,
      [ids, [ROWS, 500, 500]],
    );
    await galley.database.query(`VACUUM ANALYZE ${table}`);
  }
  await galley.database.query(
    `INSERT INTO template_versions (template_id, version, name, content, created_by)
     SELECT templates.id, version, templates.name, '{}', users.id FROM templates, users`,
  );
  await galley.database.query('VACUUM ANALYZE template_versions');
  captureListStatements(galley.api.get(Database));
});
afterAll(() => galley.stop());

function captureListStatements(database: Database): void {
  const { query } = database;
  const pipeline = database.pipeline.bind(database);
  const recordListStatement = (text: string, values: SqlValues = []) => {
    if (text.includes('LATERAL')) lastListStatement = { text, values };
  };
  Object.assign(database, {
    query: (text: string, values?: SqlValues) => {
      recordListStatement(text, values);
      return query(text, values);
    },
    pipeline: (...statements: [string, SqlValues][]) => {
      const [text = '', values = []] = statements.at(-1) ?? [];
      recordListStatement(text, values);
      return pipeline(...statements);
    },
  });
}

/** The plan of the latest statement, run with these values. */
async function planOf(values: SqlValues): Promise<PlanNode> {
  const literals = values.map((value) => {
    return value === undefined
      ? 'NULL'
      : pg.escapeLiteral(value instanceof Date ? value.toISOString() : `${value}`);
  });
  return galley.api.get(Database).withClient(async (client) => {
    await client.query(`PREPARE list AS ${lastListStatement.text}`);
    await client.query(`SELECT set_config('galley.low_watermark', now()::text, false)`);
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE list (${literals.join(', ')})`,
    );
    await client.query('DEALLOCATE list');
    return rows[0]?.['QUERY PLAN'][0].Plan as PlanNode;
  });
}

const flattenPlan = (node: PlanNode): PlanNode[] => [
  node,
  ...(node.Plans ?? []).flatMap(flattenPlan),
];

const sortOrders = [
  ['updatedAt', 'newest_first', 'updated_at'],
  ['createdAt', 'by_creation', 'created_at'],
  ['name', 'by_name', 'name'],
] as const;

it.each(
  ['templates', 'modules'].flatMap((list) =>
    sortOrders.flatMap(([field, index, column]) =>
      ['', '-'].map((sign) => [list, sign + field, `${list}_${index}`, column] as const),
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
        `SELECT ${column} AS key, id FROM ${list} WHERE workspace_id = $1
       ORDER BY ${column === 'name' ? 'lower(name) COLLATE "C"' : column}, id OFFSET ${ROWS / 2} LIMIT 1`,
        [workspaceId],
      );
      const [actor, workspace, , , ...rest] = lastListStatement.values;
      for (const values of [
        lastListStatement.values,
        [actor, workspace, middleRow?.key, middleRow?.id, ...rest],
      ]) {
        expect(await rowsReadByScan(list, index, values)).toBe(LIMIT + 1);
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
    `SELECT updated_at AS at FROM ${list} WHERE workspace_id = $1
     ORDER BY updated_at DESC OFFSET $2 LIMIT 1`,
    [workspaceId, rowNumber - 1],
  );
  const path = `/api/${list}?workspaceId=${workspaceId}&content=false&limit=${LIMIT}&sort=${sort}`;
  await ada.get(`${path}&updatedSince=${since?.at.toISOString()}`);
  expect(await rowsReadByScan(list, `${list}_newest_first`, lastListStatement.values)).toBe(rows);
});

it.each(['templates', 'modules', 'versions'])(
  'a page of %s reads only the documents that it returns',
  async (list) => {
    const { id } = await galley.createWorkspaceFor('ada');
    const path = `/api/${list === 'modules' ? 'modules' : 'templates'}`;
    const documents = Array.from({ length: 12 }, () => ({
      // Random text, which PostgreSQL cannot compress, so that its size has to be read.
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
    const plan = await planOf(lastListStatement.values);
    const blocks = plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
    // Four documents, their index, and the blocks of a page with small documents.
    expect(blocks).toBeGreaterThan((3 * MIB) / BLOCK_BYTES);
    expect(blocks).toBeLessThan((5 * MIB) / BLOCK_BYTES);
  },
);

/** How many rows the scan of the list returns; it reads few other rows. */
async function rowsReadByScan(list: string, index: string, values: SqlValues) {
  const nodes = flattenPlan(await planOf(values));
  const scan = nodes.find((node) => node['Relation Name'] === list);
  expect(scan).toMatchObject({ 'Node Type': 'Index Scan', 'Index Name': index });
  const blocks = (scan?.['Shared Hit Blocks'] ?? NaN) + (scan?.['Shared Read Blocks'] ?? NaN);
  expect(blocks).toBeLessThanOrEqual(MAX_BLOCKS);
  return scan?.['Actual Rows'];
}
