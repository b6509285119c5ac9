// Lexemes begin with the place, and a query is misspelled.
// cspell:ignore ntemplate teverywhere trare tcommon tmeplate
import { compare, interleave, type Row } from '../../figures.js';
import { emailDocuments } from '../../content/documents.js';
import { requestsPerSecond } from '../../load.js';
import type { Harness } from '../../harness.js';
import { createLoad } from './create.js';

const SMALL = 10_000;

/** Row 17: a search takes as long in a large workspace as in a small one. */
export async function* searchRows(harness: Harness): AsyncGenerator<Row> {
  const galley = await harness.install();
  const { database, url, token } = galley;
  const { body: small } = await galley.client.post<{ id: string }>('/api/workspaces', {
    name: 'Small',
  });
  const size = harness.scale.quick ? 100_000 : 1_000_000;
  await database.query('DROP INDEX document_search_lexemes');
  await database.query(
    `WITH template AS (
       INSERT INTO templates (id, workspace_id, name, updated_at)
       SELECT uuidv7(), workspace.id, 'Template ' || number, now() - number * interval '1 second'
       FROM (VALUES ($1::uuid, $3::integer), ($2::uuid, ${SMALL})) workspace (id, size),
         generate_series(1, workspace.size) number
       RETURNING id, workspace_id, split_part(name, ' ', 2)::integer AS number
     )
     INSERT INTO document_search (document_id, workspace_id, kind, version, name_keys, text, lexemes)
     SELECT id, workspace_id, 'template', 1, 'template ' || number, '', array_to_tsvector(ARRAY(
       SELECT right(workspace_id::text, 8) || right(id::text, 2) || lexeme
       FROM unnest(ARRAY['ntemplate', 'n' || number, 'teverywhere',
         -- In ten documents of each workspace, and in one of a hundred.
         CASE WHEN number % (CASE workspace_id WHEN $2 THEN ${SMALL} ELSE $3 END / 10) = 0 THEN 'trare' END,
         CASE WHEN number % 100 = 0 THEN 'tcommon' END]) lexeme
       WHERE lexeme IS NOT NULL))
     FROM template`,
    [galley.workspaceId, small.id, size],
  );
  await database.query(
    'CREATE INDEX document_search_lexemes ON document_search USING gin (lexemes) WITH (fastupdate = off)',
  );
  await database.query('VACUUM ANALYZE templates, document_search');
  for (const [number, query, what] of [
    ['17 (rare)', 'rare', 'of ten templates'],
    ['17 (common)', 'common', 'of one template in a hundred'],
    ['17 (all)', 'everywhere', 'of all templates'],
    ['17 (misspelled)', 'tmeplate', 'misspelled'],
  ] as const) {
    const page = (workspaceId: string) => () =>
      requestsPerSecond(
        {
          url: `${url}/api/search?workspaceId=${workspaceId}&query=${query}`,
          method: 'GET',
          token,
        },
        harness.scale.seconds,
      );
    const figures = await interleave(harness.scale.rounds, {
      large: page(galley.workspaceId),
      small: page(small.id),
    });
    yield {
      number,
      what: `search ${size.toLocaleString('en')} templates for a word, ${what}`,
      baseline: `${SMALL.toLocaleString('en')} templates`,
      unit: 'requests/s',
      ...compare(figures.large, figures.small),
      target: { atLeast: 0.5 },
    };
  }
  await galley.stop();
}

/** Row 18: the cost of the search for a write. */
export async function* searchWriteRow(harness: Harness): AsyncGenerator<Row> {
  const contents = emailDocuments(10_000, 50);
  const [withSearch, without] = [
    await harness.install(),
    await harness.install({ api: 'test/bench/baselines/api-without-search.js' }),
  ];
  const figures = await interleave(harness.scale.rounds, {
    with: () => requestsPerSecond(createLoad(withSearch, contents), harness.scale.seconds),
    without: () => requestsPerSecond(createLoad(without, contents), harness.scale.seconds),
  });
  if ((await without.database.count('document_search')) > 0) {
    throw new Error('The search was not off.');
  }
  await Promise.all([withSearch.stop(), without.stop()]);
  yield {
    number: '18',
    what: 'create a template of 10 KB, with the search',
    baseline: 'nothing stored for the search',
    unit: 'requests/s',
    ...compare(figures.with, figures.without),
    target: { atLeast: 0.9 },
  };
}
