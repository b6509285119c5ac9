// A query is misspelled.
// cspell:ignore tmeplate
import { compare, interleave, type Row } from '../../figures.js';
import { requestsPerSecond } from '../../load.js';
import type { Harness } from '../../harness.js';

const SMALL = 10_000;

/** Row 17: a search takes as long in a large workspace as in a small one. */
export async function* searchRows(harness: Harness): AsyncGenerator<Row> {
  const galley = await harness.install();
  const { database, url, token } = galley;
  const { body: small } = await galley.client.post<{ id: string }>('/api/workspaces', {
    name: 'Small',
  });
  const size = harness.scale.quick ? 100_000 : 1_000_000;
  await database.query(
    `WITH template AS (
       INSERT INTO documents (id, kind, workspace_id, name, events, created_at, updated_at)
       SELECT uuidv7(), 'template', workspace.id, 'Template ' || number, 1, now(), now() - number * interval '1 second'
       FROM (VALUES ($1::uuid, $3::integer), ($2::uuid, ${SMALL})) workspace (id, size),
         generate_series(1, workspace.size) number
       RETURNING id, workspace_id, split_part(name, ' ', 2)::integer AS number
     ), version AS (
       INSERT INTO document_versions (document_id, kind, version, name, content, content_bytes, created_at)
       SELECT id, 'template', 1, 'Template ' || number, '{}', 2, now() FROM template
     )
     INSERT INTO document_words (document_id, workspace_id, kind, slice, name_words, words)
     -- As a worker leaves them: the last documents are in no slice.
     SELECT id, workspace_id, 'template', CASE WHEN number > 900 THEN number / 4000 END,
       format(' template %s ', number), concat(format(' template %s everywhere ', number),
         -- In ten documents of each workspace, and in one of a hundred.
         CASE WHEN number % (CASE workspace_id WHEN $2 THEN ${SMALL} ELSE $3 END / 10) = 0 THEN 'rare ' END,
         CASE WHEN number % 100 = 0 THEN 'common ' END)
     FROM template`,
    [galley.workspaceId, small.id, size],
  );
  await database.query('VACUUM ANALYZE documents, document_versions, document_words');
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
