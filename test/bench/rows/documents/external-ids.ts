import { emailDocument } from '../../content/documents.js';
import { compare, interleave, type Row } from '../../figures.js';
import type { Harness } from '../../harness.js';
import { requestsPerSecond } from '../../load.js';

/** Row 33: an external id is unique in its workspace, so a create writes one more index. */
export async function* externalIdsRow(harness: Harness): AsyncGenerator<Row> {
  const galley = await harness.install();
  const { url, token, workspaceId } = galley;
  const create = (fields: object) => () => {
    const body = JSON.stringify({ ...fields, workspaceId, content: emailDocument(1_000) });
    const load = {
      url: `${url}/api/templates`,
      method: 'POST',
      token,
      body,
      hasIds: true,
    } as const;
    return requestsPerSecond(load, harness.scale.seconds);
  };
  const figures = await interleave(harness.scale.rounds, {
    with: create({ name: 'Welcome', externalId: '[<id>]' }),
    without: create({ name: 'Welcome [<id>]' }),
  });
  await galley.stop();
  yield {
    number: '33',
    what: 'create a template of 1 KB with an external id',
    baseline: 'without one',
    unit: 'requests/s',
    ...compare(figures.with, figures.without),
    target: { atLeast: 0.95 },
  };
}
