// A query is misspelled.
// cspell:ignore braekfast
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Database } from '#database';
import type { Client } from '../../support/api/client.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';
import { blocksOf, RecordedStatements } from '../../support/galley/recorded-statements.js';

const LARGE = 40_000;
const SMALL = 1_000;
// Some blocks for each of 1,000 newest documents, if names may be similar.
const MAX_BLOCKS = 10_000;

let galley: Galley;
let ada: Client;
let statements: RecordedStatements;
let largeId: string;
let smallId: string;

beforeAll(async () => {
  galley = await startGalley();
  ada = await galley.clientFor('ada');
  largeId = (await galley.createWorkspaceFor('ada')).id;
  smallId = (await galley.createWorkspaceFor('ada')).id;
  const { database } = galley;
  await database.query(
    `WITH reason AS (SELECT set_config('galley.no_event', 'not under test', true)),
     template AS (
       INSERT INTO documents (id, kind, workspace_id, name, events, created_at, updated_at)
       SELECT gen_random_uuid(), 'template', workspace_id, 'Breakfast ' || number, 1, now(), now()
       FROM reason, unnest($1::uuid[], $2::integer[]) workspace (workspace_id, size),
         generate_series(1, size) number
       RETURNING id, workspace_id, split_part(name, ' ', 2)::integer AS number
     ), version AS (
       INSERT INTO document_versions (document_id, kind, version, name, content, content_bytes, created_at)
       SELECT id, 'template', 1, 'Breakfast', '{}', 2, now() FROM template
     )
     INSERT INTO document_words (document_id, workspace_id, kind, slice, name_words, words)
     SELECT id, workspace_id, 'template', CASE WHEN number > 500 THEN number / 4000 END,
       format(' breakfast %s ', number),
       format(' breakfast %s everywhere %s ', number, CASE WHEN number <= 10 THEN 'rare' ELSE 'frequent' END)
     FROM template`,
    [
      [largeId, smallId],
      [LARGE, SMALL],
    ],
  );
  await database.query('VACUUM ANALYZE documents, document_words');
  statements = new RecordedStatements(galley.api.get(Database), 'LATERAL');
});
afterAll(() => galley.stop());

async function search(workspaceId: string, query: string) {
  const path = `/api/search?workspaceId=${workspaceId}&query=${query}`;
  const { body } = await ada.get<{ data: unknown[] }>(path);
  const plan = await statements.planOf(statements.last.values);
  return { results: body.data.length, blocks: blocksOf(plan) };
}

it.each([
  ['rare', 10],
  ['everywhere', 50],
  ['breakfast', 50],
  ['everywhere+frequent', 50],
  ['breakfast+7', 50],
  ['braekfast', 50],
  ['unknown', 0],
])(
  'a search for %s reads as little in a large workspace as in a small one',
  async (query, results) => {
    const large = await search(largeId, query);
    const small = await search(smallId, query);
    expect([query, large.results]).toEqual([query, results]);
    expect(large.blocks).toBeLessThan(2 * small.blocks);
    expect(large.blocks).toBeLessThan(MAX_BLOCKS);
  },
);
