import { compare, interleave, type Row } from '../../figures.js';
import { requestsPerSecond } from '../../load.js';
import type { Harness } from '../../harness.js';

/** Row 14: references to modules are checked and stored by the statement that creates the template. */
export async function* referencesRow(harness: Harness): AsyncGenerator<Row> {
  const galley = await harness.install();
  const { url, token, workspaceId } = galley;
  const text = { type: 'text', text: 'x'.repeat(300) };
  const moduleIds: string[] = [];
  for (const name of ['Header', 'Footer']) {
    const { body } = await galley.client.post<{ id: string }>('/api/modules', {
      name,
      workspaceId,
      content: text,
    });
    moduleIds.push(body.id);
  }
  const references = moduleIds.map((moduleId) => ({ type: 'module', moduleId }));
  const create = (blocks: object[]) => () =>
    requestsPerSecond(
      {
        url: `${url}/api/templates`,
        method: 'POST',
        token,
        body: JSON.stringify({
          name: 'Welcome',
          workspaceId,
          content: { stripes: [{ containers: [{ blocks: [text, text, ...blocks] }] }] },
        }),
      },
      harness.scale.seconds,
    );
  const figures = await interleave(harness.scale.rounds, {
    // As large as the references.
    without: create([{ type: 'text', text: 'x'.repeat(JSON.stringify(references).length) }]),
    with: create(references),
  });
  await galley.stop();
  yield {
    number: '14',
    what: 'create a template with two references',
    baseline: 'without references',
    unit: 'requests/s',
    ...compare(figures.with, figures.without),
    target: { atLeast: 0.8 },
  };
}
