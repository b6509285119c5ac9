import { Child } from '../../child.js';
import { emailDocument } from '../../content/documents.js';
import { compare, interleave, type Row } from '../../figures.js';
import { requestsPerSecond } from '../../load.js';
import type { Harness } from '../../harness.js';

const SIZES = [
  { bytes: 10_000, label: '10 KB', quick: true },
  { bytes: 28_000, label: '28 KB', quick: false },
  { bytes: 200_000, label: '200 KB', quick: false },
];

/** Row 3: reading a template, compared with bare Fastify on the same database. */
export async function* readRows(harness: Harness): AsyncGenerator<Row> {
  const galley = await harness.install();
  const bare = await Child.start('test/bench/baselines/http.js', {
    DATABASE_URL: galley.database.url,
  });
  const { rounds, seconds, quick } = harness.scale;
  for (const { bytes, label } of SIZES.filter((size) => size.quick || !quick)) {
    const { body } = await galley.client.post<{ id: string }>('/api/templates', {
      name: 'Welcome',
      workspaceId: galley.workspaceId,
      content: emailDocument(bytes),
    });
    const { url, token } = galley;
    const figures = await interleave(rounds, {
      galley: () =>
        requestsPerSecond(
          { url: `${url}/api/templates/${body.id}`, method: 'GET', token },
          seconds,
        ),
      bare: () =>
        requestsPerSecond({ url: `${bare.url}/templates/${body.id}`, method: 'GET' }, seconds),
    });
    yield {
      number: `3 (${label})`,
      what: 'read a template',
      baseline: 'bare Fastify + node-postgres, one prepared statement',
      unit: 'requests/s',
      ...compare(figures.galley, figures.bare),
      target: { atLeast: 0.8 },
    };
  }
  await Promise.all([galley.stop(), bare.stop()]);
}
