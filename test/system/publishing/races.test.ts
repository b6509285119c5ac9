import { afterAll, beforeAll, beforeEach, expect } from '@jest/globals';
import { Database, UnitOfWork } from '#database';
import { PublishingJob } from '#publishing';
import type { Client } from '../../support/api/client.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';
import { findWrongPointers } from '../../support/galley/publications.js';
import { createResource } from '../../support/galley/resources.js';
import { itRaces } from '../../support/it-races.js';

interface Publication {
  id: string;
  version: number | null;
}

const ROUNDS = 15;

let galley: Galley;
let ada: Client;
let workspaceId: string;
let path: string;
let job: PublishingJob;

beforeAll(async () => {
  galley = await startGalley();
  ada = await galley.clientFor('ada');
  job = new PublishingJob(galley.api.get(Database), galley.api.get(UnitOfWork));
});
afterAll(() => galley.stop());
beforeEach(async () => {
  workspaceId = (await galley.createWorkspaceFor('ada')).id;
  path = await createTemplate();
  await ada.post(`/api/workspaces/${workspaceId}/environments`, { name: 'staging' });
});

async function createTemplate(): Promise<string> {
  const id = await createResource(ada, '/api/templates', { name: 'A', workspaceId });
  for (const name of ['B', 'C']) await ada.put(`/api/templates/${id}`, { name });
  return `/api/templates/${id}`;
}

const publish = (body: object, template = path) =>
  ada.post<Publication>(`${template}/publish`, body);
const history = async () =>
  (await ada.get<{ data: Publication[] }>(`${path}/publications?limit=100`)).body.data;

/** Every pointer is the latest publication of its environment, and every event has its own number. */
async function expectConsistency(): Promise<void> {
  expect(await findWrongPointers(galley.database)).toEqual([]);
  const numbers = await galley.database.query<{ sequences: number[] }>(
    `SELECT array_agg(sequence ORDER BY sequence) AS sequences FROM outbox
     WHERE kind LIKE 'template.%' GROUP BY resource_id`,
  );
  for (const { sequences } of numbers) expect(sequences).toEqual(sequences.map((_, n) => n + 1));
}

itRaces('publishers of one template take turns', async () => {
  const responses = await Promise.all(
    Array.from({ length: 30 }, (_, n) =>
      publish({ version: 1 + (n % 3), environment: n % 2 ? 'staging' : 'production' }),
    ),
  );
  expect(responses.map(({ status }) => status)).toEqual(Array(30).fill(200));
  await Promise.all([
    ada.post(`${path}/unpublish`),
    publish({ version: 2 }),
    ada.put(path, { name: 'D' }),
    ada.post(`${path}/versions/1/restore`),
    publish({ version: 3, environment: 'staging' }),
  ]);
  await expectConsistency();
});

itRaces('a publication and the deletion of its template leave nothing scheduled', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const template = await createTemplate();
    const [published, deleted] = await Promise.all([
      publish({ version: 1 }, template),
      ada.delete(template),
      publish({ version: 2, at: '2099-01-01T00:00:00Z' }, template),
    ]);
    expect([200, 404]).toContain(published.status);
    expect(deleted.status).toBe(204);
  }
  const ofWorkspace = `WHERE workspace_id = '${workspaceId}'`;
  expect(await galley.database.count(`scheduled_publications ${ofWorkspace}`)).toBe(0);
  // The trash keeps the pointers of its templates.
  const kept = 'SELECT id FROM documents UNION SELECT id FROM trashed_documents';
  expect(
    await galley.database.count(
      `template_pointers ${ofWorkspace} AND template_id NOT IN (${kept})`,
    ),
  ).toBe(0);
  await expectConsistency();
});

itRaces('a publication and the deletion of its environment exclude each other', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const name = `stage-${round}`;
    const force = round % 2 ? '?force=true' : '';
    await ada.post(`/api/workspaces/${workspaceId}/environments`, { name });
    const [published, scheduled, deleted] = await Promise.all([
      publish({ version: 1 + (round % 3), environment: name }),
      publish({ version: 1, environment: name, at: '2099-01-01T00:00:00Z' }),
      ada.delete(`/api/workspaces/${workspaceId}/environments/${name}${force}`),
    ]);
    expect([200, 404]).toContain(published.status);
    expect([200, 404]).toContain(scheduled.status);
    expect(force ? [204] : [204, 409]).toContain(deleted.status);
    const left = (await ada.get(`${path}/published?environment=${name}`)).status;
    if (deleted.status === 204) expect(left).toBe(404);
    else expect(left).toBe(published.status);
  }
  await expectConsistency();
});

itRaces('publications and the deletion of their workspace leave nothing behind', async () => {
  const template = await createTemplate();
  await publish({ version: 2 }, template);
  const [deleted, ...published] = await Promise.all([
    ada.delete(`/api/workspaces/${workspaceId}?force=true`),
    publish({ version: 1 }),
    publish({ version: 1 }, template),
    publish({ version: 1, environment: 'staging' }, template),
  ]);
  expect(deleted.status).toBe(204);
  for (const { status } of published) expect([200, 404]).toContain(status);
  for (const table of ['template_pointers', 'environments', 'scheduled_publications']) {
    expect(await galley.database.count(`${table} WHERE workspace_id = '${workspaceId}'`)).toBe(0);
  }
  await expectConsistency();
});

itRaces('a scheduled publication is either made or cancelled', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    // Otherwise the version could be published already, and the publication would change nothing.
    await ada.post(`${path}/unpublish`);
    const { body } = await publish({ version: 1, at: '2099-01-01T00:00:00Z' });
    await galley.database.query(`UPDATE scheduled_publications SET at = now() WHERE id = $1`, [
      body.id,
    ]);
    await galley.database.query('UPDATE publication_turns SET next_at = now()');
    const [cancelled] = await Promise.all([
      ada.delete(`${path}/publications/scheduled/${body.id}`),
      job.step(),
      job.step(),
    ]);
    while ((await job.step()) === 0);
    const wasMade = (await history()).some(({ id }) => id === body.id);
    expect([round, cancelled.status, wasMade]).toEqual([round, wasMade ? 404 : 204, wasMade]);
  }
  await expectConsistency();
});
