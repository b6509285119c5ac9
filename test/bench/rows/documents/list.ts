import { compare, interleave, type Row } from '../../figures.js';
import { requestsPerSecond } from '../../load.js';
import type { Harness } from '../../harness.js';

const SMALL = 10_000;

/** Rows 4 and 16: a list takes as long in a large workspace as in a small one, also with filters. */
export async function* listRows(harness: Harness): AsyncGenerator<Row> {
  const galley = await harness.install();
  const { database, url, token } = galley;
  const { body: small } = await galley.client.post<{ id: string }>('/api/workspaces', {
    name: 'Small',
  });
  const size = harness.scale.quick ? 100_000 : 1_000_000;
  // The rare tag is on ten templates of each workspace, the others on the same share of both.
  await database.query(
    `INSERT INTO documents (id, kind, workspace_id, name, events, created_at, tags, updated_at)
     SELECT uuidv7(), 'template', workspace.id, 'Template ' || number, 1, now(), array_remove(ARRAY[
         CASE WHEN number % (size / 10) = 0 THEN 'rare' END,
         CASE WHEN number % 20 = 0 THEN 'common' END
       ], NULL), now() - number * interval '1 second'
     FROM (VALUES ($1::uuid, $3::integer), ($2::uuid, ${SMALL})) workspace (id, size),
       generate_series(1, workspace.size) number`,
    [galley.workspaceId, small.id, size],
  );
  await database.query('VACUUM ANALYZE documents, document_tags');
  for (const [number, filter, what, atLeast] of [
    ['4', '', '', 0.9],
    ['16 (rare tag)', '&tags=rare', ', with a tag of ten', 0.5],
    ['16 (common tag)', '&tags=common', ', with a tag of one in twenty', 0.5],
    ['16 (no match)', '&search=no+such+name', ', with a text that no name has', 0.5],
  ] as const) {
    const page = (workspaceId: string) => () =>
      requestsPerSecond(
        {
          url: `${url}/api/templates?workspaceId=${workspaceId}&content=false&limit=50${filter}`,
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
      what: `list 50 templates of ${size.toLocaleString('en')}${what}`,
      baseline: `of ${SMALL.toLocaleString('en')}`,
      unit: 'requests/s',
      ...compare(figures.large, figures.small),
      target: { atLeast },
    };
  }
  await galley.stop();
}
