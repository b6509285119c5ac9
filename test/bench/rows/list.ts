import { compare, interleave, type Row } from '../figures.js';
import { requestsPerSecond } from '../load.js';
import type { Harness } from '../harness.js';

/** Row 4: a list takes as long in a large workspace as in a small one. */
export async function* listRow(harness: Harness): AsyncGenerator<Row> {
  const galley = await harness.install();
  const { database, url, token } = galley;
  const { body: small } = await galley.client.post<{ id: string }>('/api/workspaces', {
    name: 'Small',
  });
  const size = harness.scale.quick ? 100_000 : 1_000_000;
  await database.query(
    `INSERT INTO templates (id, workspace_id, name, updated_at)
     SELECT uuidv7(), workspace.id, 'Template ' || number, now() - number * interval '1 second'
     FROM (VALUES ($1::uuid, $3::integer), ($2::uuid, 1000)) workspace (id, size),
       generate_series(1, workspace.size) number`,
    [galley.workspaceId, small.id, size],
  );
  await database.query('VACUUM ANALYZE templates');
  const page = (workspaceId: string) => () =>
    requestsPerSecond(
      {
        url: `${url}/api/templates?workspaceId=${workspaceId}&content=false&limit=50`,
        method: 'GET',
        token,
      },
      harness.scale.seconds,
    );
  const figures = await interleave(harness.scale.rounds, {
    large: page(galley.workspaceId),
    small: page(small.id),
  });
  await galley.stop();
  yield {
    number: '4',
    what: `list 50 templates of ${size.toLocaleString('en')}`,
    baseline: 'of 1,000',
    unit: 'requests/s',
    ...compare(figures.large, figures.small),
    target: { atLeast: 0.9 },
  };
}
