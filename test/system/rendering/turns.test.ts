import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Renderer } from '#rendering';
import { Client } from '../../support/api/client.js';
import { documentOf, text } from '../../support/api/drawable.js';
import { eventually } from '../../support/eventually.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';
import { createResource } from '../../support/galley/resources.js';

let galley: Galley;
let renderer: Renderer;
let mallory: Client;
let keys: Client[];
let victim: Client;
let templateId: string;

beforeAll(async () => {
  galley = await startGalley();
  renderer = galley.api.get(Renderer);
  mallory = await galley.clientFor('mallory');
  const { id } = await galley.createWorkspaceFor('mallory');
  keys = await Promise.all(
    Array.from({ length: 12 }, async (_, index) => {
      const key = { name: `${index}`, role: 'editor' };
      const { body } = await mallory.post<{ key: string }>(`/api/workspaces/${id}/keys`, key);
      return new Client(mallory.baseUrl, body.key);
    }),
  );
  victim = await galley.clientFor('victim');
  const workspaceId = (await galley.createWorkspaceFor('victim')).id;
  const content = documentOf(text('Hello {{name}}'));
  const welcome = { name: 'Welcome', workspaceId, content };
  templateId = await createResource(victim, '/api/templates', welcome);
  await renderWelcome('nobody');
});
afterAll(() => galley.stop());

// A third of a second of work.
const largeDocument = (title: string) => ({
  title,
  ...documentOf(...Array.from({ length: 3_000 }, () => text('Hello'))),
});
const renderWelcome = (name: string) =>
  victim.post<{ html: string }>(`/api/templates/${templateId}/render`, { data: { name } });

/** Renders large documents as all API keys, and returns how many have ended, once threads are busy. */
async function attack(path = '/api/render', body: (index: number) => object = attackBody) {
  const attacker = { ended: 0, all: Promise.resolve<unknown>(undefined) };
  const requests = keys.map(async (key, index) => {
    const { status } = await key.post(path, body(index));
    attacker.ended++;
    return status;
  });
  attacker.all = Promise.all(requests);
  await eventually('waiting documents', () => renderer['turns'].waitingCount > 3);
  return attacker as { ended: number; all: Promise<number[]> };
}

let attacks = 0;
const attackBody = () => ({ content: largeDocument(`attack ${attacks++}`) });

it('other tenants render, cached or not, and check, while the API keys of a workspace wait', async () => {
  const attacker = await attack();
  for (let count = 0; count < 5; count++) {
    const { status, body } = await renderWelcome(`Guest ${count}`);
    expect([status, body.html]).toEqual([200, expect.stringContaining(`Hello Guest ${count}`)]);
    const content = documentOf(text(`Three words ${count}`));
    expect((await victim.post('/api/render', { content })).status).toBe(200);
    expect((await victim.post('/api/check', { content })).status).toBe(200);
  }
  expect(attacker.ended).toBeLessThan(6);
  const outcomes = await attacker.all;
  expect(outcomes.filter((status) => status !== 200 && status !== 429)).toEqual([]);
  expect(outcomes).toContain(200);
});

it('the other requests of a caller do not wait for its documents', async () => {
  const own = Array.from({ length: 8 }, (_, index) =>
    mallory.post('/api/render', { content: largeDocument(`own ${index}`) }),
  );
  await eventually('waiting documents', () => renderer['turns'].waitingCount > 3);
  for (let count = 0; count < 20; count++) {
    expect((await mallory.get('/api/auth/me')).status).toBe(200);
  }
  expect(renderer['turns'].waitingCount).toBeGreaterThan(0);
  await Promise.all(own);
});

it('a request whose client disconnects leaves the queue', async () => {
  const attacker = await attack();
  const before = renderer['turns'].waitingCount;
  const controller = new AbortController();
  const request = fetch(`${victim.baseUrl}/api/render`, {
    method: 'POST',
    headers: { authorization: `Bearer ${victim.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ content: largeDocument('abandoned') }),
    signal: controller.signal,
  });
  await eventually('the document to wait', () => renderer['turns'].waitingCount > before - 1);
  const refused = expect(request).rejects.toThrow('aborted');
  const jobs = renderer['jobs'].size;
  controller.abort();
  await refused;
  await eventually('the document to leave', () => renderer['jobs'].size < jobs);
  await attacker.all;
});

it('a document that would take more than a second is refused', async () => {
  const items = Array.from({ length: 60_000 }, () => '<b>a</b>');
  const { status, body } = await victim.post<{ message: string }>('/api/render', {
    content: documentOf({ type: 'list', props: { items } }),
  });
  expect([status, body.message]).toEqual([
    400,
    expect.stringContaining('rendering would take more than a second'),
  ]);
});
