import { emailDocument } from '../../content/documents.js';
import { compare, interleave, type Row } from '../../figures.js';
import type { Harness, Installation } from '../../harness.js';
import { GalleyDeliveries } from '../galley-deliveries.js';
import { atRate, quantileOf, RATE, sinceCommit } from '../latency.js';

// The largest batch.
const BATCH = 1_000;

/** Row 19: the latency of deliveries while a worker pins thousands of templates to another version. */
export async function* usageUpdatesRow(harness: Harness): AsyncGenerator<Row> {
  const deliveries = await GalleyDeliveries.start(harness, harness.queue, { waitsForDisk: false });
  const { galley, receiver } = deliveries;
  const templates = harness.scale.quick ? 1_000 : 10_000;
  const pins = await Pins.create(galley, templates);
  await receiver.take(templates);
  const count = RATE * 3;
  const latency = async () => {
    const { workspaceId } = galley;
    const body = { name: 'Welcome', workspaceId, content: emailDocument(1_000) };
    await atRate(count, () => galley.client.post('/api/templates', body));
    return quantileOf(await sinceCommit(galley.database, await receiver.take(count)), 0.99);
  };
  const figures = await interleave(harness.scale.rounds, {
    during: async () => {
      await pins.startUpdate();
      const figure = await latency();
      await pins.cancelUpdate();
      return figure;
    },
    without: latency,
  });
  await deliveries.stop();
  yield {
    number: '19',
    what: `commit to first byte, p99, while ${templates.toLocaleString('en')} templates are pinned to another version`,
    baseline: 'without',
    unit: 'ms',
    ...compare(figures.during, figures.without),
    target: { atMost: 2 },
  };
}

/** Templates that pin the same version of a module. */
class Pins {
  private updateId = '';

  private constructor(
    private readonly galley: Installation,
    private readonly path: string,
  ) {}

  static async create(galley: Installation, count: number): Promise<Pins> {
    const { client, workspaceId } = galley;
    const content = { type: 'text', text: 'Imprint' };
    const { body } = await client.post<{ id: string }>('/api/modules', {
      name: 'Footer',
      workspaceId,
      content,
    });
    const path = `/api/modules/${body.id}`;
    await client.put(path, { content: { ...content, text: 'New imprint' } });
    const blocks = [{ type: 'module', moduleId: body.id, version: 1 }];
    const create = { action: 'create', name: 'Letter', content: { blocks } };
    for (let created = 0; created < count; created += BATCH) {
      const operations = Array.from({ length: BATCH }, () => create);
      await client.post('/api/templates/batch', { workspaceId, operations });
    }
    return new Pins(galley, path);
  }

  /** A round pins a few hundred of the templates, so all rounds find enough that pin the first version. */
  async startUpdate(): Promise<void> {
    const update = { all: true, toVersion: 2 };
    const { body } = await this.galley.client.post<{ id: string }>(
      `${this.path}/update-usages`,
      update,
    );
    this.updateId = body.id;
  }

  async cancelUpdate(): Promise<void> {
    await this.galley.client.post(`${this.path}/usage-updates/${this.updateId}/cancel`, {});
  }
}
