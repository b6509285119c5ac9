import { expect } from '@jest/globals';
import type { Client } from '../api/client.js';
import type { TestDatabase } from './database.js';
import type { Ids } from '../api/routes.js';
import { uploadPicture } from '../pictures.js';

export async function createResource(client: Client, path: string, body: object): Promise<string> {
  const response = await client.post<{ id: string }>(path, body);
  // Includes the text of the response, so that a failed test shows it.
  expect([response.text, response.status < 300]).toEqual([response.text, true]);
  return response.body.id;
}

/**
 * Creates one resource of each kind in `names`, in a workspace of the owner, and returns the ids by name.
 */
export async function createResources(
  owner: Client,
  database: TestDatabase,
  workspaceId: string,
  names: readonly string[],
): Promise<Ids> {
  const ids: Record<string, string> = { version: '1', external: 'sale-1' };
  const wants = (name: string) => names.includes(name);
  const create = (path: string, fields: object) =>
    createResource(owner, path, { name: 'A', workspaceId, ...fields });
  if (wants('key')) {
    const key = { name: 'A', role: 'viewer' };
    ids['key'] = await createResource(owner, `/api/workspaces/${workspaceId}/keys`, key);
  }
  const named = { tags: ['sale'], ...(wants('external') && { externalId: ids['external'] }) };
  if (wants('template')) ids['template'] = await create('/api/templates', named);
  if (wants('environment')) {
    ids['environment'] = 'staging';
    await owner.post(`/api/workspaces/${workspaceId}/environments`, { name: 'staging' });
  }
  if (wants('environment') && wants('template')) {
    const publication = { environment: 'staging', version: 1 };
    await createResource(owner, `/api/templates/${ids['template']}/publish`, publication);
  }
  if (wants('publication')) {
    const at = '2099-01-01T00:00:00Z';
    const publish = `/api/templates/${ids['template']}/publish`;
    ids['publication'] = await createResource(owner, publish, { version: 1, at });
  }
  if (wants('module')) ids['module'] = await create('/api/modules', { content: {}, ...named });
  if (wants('update')) {
    const update = { toVersion: 1, all: true };
    const path = `/api/modules/${ids['module']}/update-usages`;
    ids['update'] = await createResource(owner, path, update);
  }
  if (wants('trashed')) {
    ids['trashed'] = await create('/api/templates', {});
    await owner.delete(`/api/templates/${ids['trashed']}`);
  }
  if (wants('asset')) ids['asset'] = await uploadPicture(owner, workspaceId);
  if (wants('discarded')) {
    ids['discarded'] = await uploadPicture(owner, workspaceId);
    await owner.delete(`/api/assets/${ids['discarded']}`);
  }
  if (!wants('webhook')) return ids;
  const webhook = { workspaceId, url: 'https://example.com', events: ['module.created'] };
  ids['webhook'] = await createResource(owner, '/api/webhooks', webhook);
  if (wants('replay')) {
    const since = '2026-01-01T00:00:00Z';
    ids['replay'] = await createResource(owner, `/api/webhooks/${ids['webhook']}/replays`, {
      since,
    });
  }
  if (wants('delivery')) {
    const [delivery] = await database.query<{ id: string }>(
      `INSERT INTO webhook_deliveries (endpoint_id, id, workspace_id, event_position,
         event_relayed_at, event_id, kind, resource_id, sequence, due_at)
       VALUES ($1, uuidv7_at(now()), $2, 1, now(), gen_random_uuid(), 'module.created',
         gen_random_uuid(), 1, now()) RETURNING id`,
      [ids['webhook'], workspaceId],
    );
    ids['delivery'] = delivery?.id ?? '';
  }
  return ids;
}
