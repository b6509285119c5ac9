import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Client } from '../../support/api/client.js';
import { useSharedGalley } from '../../support/galley/shared-galley.js';

const KEY_REUSED = { statusCode: 422, code: 'key_reused' };

const galley = useSharedGalley();
let workspaceId: string;
let client: Client;

beforeAll(async () => {
  workspaceId = (await galley.createWorkspaceFor('ada')).id;
});

beforeEach(async () => {
  client = (await galley.clientFor('ada')).with({ 'idempotency-key': randomUUID() });
});

const createTemplate = async (name: string) => {
  const { body } = await (
    await galley.clientFor('ada')
  ).post<{ id: string }>('/api/templates', { workspaceId, name });
  return body.id;
};

it('a key that created a template creates no module from the same body', async () => {
  const body = { workspaceId, name: 'Welcome', content: {} };
  expect((await client.post('/api/templates', body)).status).toBe(201);
  const refused = await client.post('/api/modules', body);
  expect([refused.status, refused.body]).toMatchObject([422, KEY_REUSED]);
  const modules = await client.get<{ data: object[] }>(`/api/modules?workspaceId=${workspaceId}`);
  expect(modules.body.data).toEqual([]);
});

it('a key that duplicated a template does not duplicate another template', async () => {
  const [first, second] = [await createTemplate('First'), await createTemplate('Second')];
  const duplicate = (id: string) => client.post(`/api/templates/${id}/duplicate`, { workspaceId });
  expect((await duplicate(first)).status).toBe(201);
  const refused = await duplicate(second);
  expect([refused.status, refused.body]).toMatchObject([422, KEY_REUSED]);
  expect((await duplicate(first)).status).toBe(201);
});

it('a key of a request without a body is refused on another path', async () => {
  const ada = await galley.clientFor('ada');
  const createTestPath = async () => {
    const { body } = await ada.post<{ id: string }>('/api/webhooks', {
      workspaceId,
      url: 'https://example.com',
      events: ['module.created'],
    });
    return `/api/webhooks/${body.id}/test`;
  };
  const [first, second] = [await createTestPath(), await createTestPath()];
  const sent = await client.post(first);
  expect([sent.text, sent.status]).toEqual([sent.text, 202]);
  const refused = await client.post(second);
  expect([refused.status, refused.body]).toMatchObject([422, KEY_REUSED]);
});
