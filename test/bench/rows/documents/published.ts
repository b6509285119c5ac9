import { emailDocument } from '../../content/documents.js';
import { compare, interleave, type Row } from '../../figures.js';
import { requestsPerSecond } from '../../load.js';
import type { Harness } from '../../harness.js';

/** Row 15: what is published is read with one look-up more than a template. */
export async function* publishedRow(harness: Harness): AsyncGenerator<Row> {
  const galley = await harness.install();
  const { url, token, workspaceId } = galley;
  const { body } = await galley.client.post<{ id: string }>('/api/templates', {
    name: 'Welcome',
    workspaceId,
    content: emailDocument(10_000),
  });
  const path = `/api/templates/${body.id}`;
  await galley.client.post(`${path}/publish`, { version: 1 });
  const read = (read: string) => () =>
    requestsPerSecond({ url: url + read, method: 'GET', token }, harness.scale.seconds);
  const figures = await interleave(harness.scale.rounds, {
    published: read(`${path}/published?environment=production`),
    template: read(path),
  });
  await galley.stop();
  yield {
    number: '15',
    what: 'read what is published',
    baseline: 'read the template',
    unit: 'requests/s',
    ...compare(figures.published, figures.template),
    target: { atLeast: 0.95 },
  };
}
