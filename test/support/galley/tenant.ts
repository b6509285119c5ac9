import { Client } from '../api/client.js';
import { eventually } from '../eventually.js';
import type { Galley } from './galley.js';
import { createResource } from './resources.js';
import { callRoute, isRead, routes, type Ids } from '../api/routes.js';
import type { Receiver } from '../webhooks/receiver.js';
import { subscribe } from '../webhooks/subscriptions.js';

/** An owner, workspaces with resources of every kind, and the data that no other tenant may see. */
export interface Tenant {
  owner: Client;
  /** A client with an API key that has the role `admin`, the highest role of a key. */
  service: Client;
  /** The ids by the names that routes.ts uses. A `robot` is the user as which an API key acts. */
  ids: Readonly<Record<string, readonly string[]>>;
  /** The secrets of the webhooks, the API keys, and the word that is in all of the tenant's texts. */
  secrets: readonly string[];
}

const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g;

/** The first id of each kind. */
export const firstIds = ({ ids }: Tenant): Ids =>
  Object.fromEntries(Object.entries(ids).map(([name, [id = '']]) => [name, id]));

/** All routes that only read. A webhook's secret is left out, because reading it adds an audit entry. */
export const readRoutes = routes.filter(
  (route) => isRead(route) && route.leastRole !== 'nobody' && !route.route.endsWith('/secret'),
);

export async function readAll(tenant: Tenant): Promise<Map<string, string>> {
  const texts = readRoutes.map(async (route): Promise<[string, string]> => {
    const { text } = await callRoute(tenant.owner, route, firstIds(tenant));
    return [route.route, text];
  });
  return new Map(await Promise.all(texts));
}

/** All texts that identify a tenant: every id that the tenant can read, and the secrets. */
export async function identifyingTexts(tenant: Tenant): Promise<string[]> {
  const texts = [...(await readAll(tenant)).values()];
  const ids = texts.flatMap((text) => text.match(UUID) ?? []);
  return [...new Set([...ids, ...Object.values(tenant.ids).flat(), ...tenant.secrets])].filter(
    (text) => text.length > 1,
  );
}

/**
 * Creates a tenant with `word` in every text. Needs a worker. `versions` is how many versions the first
 * template has; two tenants with different numbers also differ in their version numbers.
 */
export async function createTenant(
  galley: Galley,
  receiver: Receiver,
  word: string,
  versions: number,
): Promise<Tenant> {
  const owner = await galley.clientFor(`${word}-owner`);
  const name = `The ${word}`;
  const variables = { type: 'object', properties: { [word]: { type: 'string' } } };
  const content = { subject: word, variables, stripes: [{ text: word }] };
  const named = { name, description: word, content, tags: [word, name] };
  const external = { externalId: word };
  const workspaceId = await createResource(owner, '/api/workspaces', { name });
  const otherWorkspaceId = await createResource(owner, '/api/workspaces', { name });
  const path = `/api/workspaces/${workspaceId}`;

  const webhookSettings = {
    url: `${receiver.url}/${word}`,
    headers: { 'x-word': word },
    description: word,
  };
  const webhook = await subscribe(owner, workspaceId, receiver);
  await owner.put(`/api/webhooks/${webhook.id}`, webhookSettings);
  await owner.post(`/api/webhooks/${webhook.id}/disable`);
  await owner.post(`/api/webhooks/${webhook.id}/enable`, {});
  const disabledWebhook = await subscribe(owner, workspaceId, receiver);
  await owner.post(`/api/webhooks/${disabledWebhook.id}/disable`);

  const templates = [
    await createResource(owner, '/api/templates', { name, content, workspaceId, ...external }),
    await createResource(owner, '/api/templates', { name, content, workspaceId }),
  ];
  for (let version = 2; version <= versions; version++) {
    await owner.put(`/api/templates/${templates[0] ?? ''}`, { name: `${name} ${version}` });
  }
  await owner.post(`${path}/environments`, { name: word });
  const publish = `/api/templates/${templates[0] ?? ''}/publish`;
  await owner.post(publish, { environment: word, version: versions, note: word });
  await owner.post(publish, { version: 1, note: word });
  const at = '2099-01-01T00:00:00Z';
  const publication = await createResource(owner, publish, { version: 1, note: word, at });
  await owner.post(publish, { version: 1, environment: word, note: word, at });

  const modules = [
    await createResource(owner, '/api/modules', {
      ...named,
      ...external,
      category: word,
      workspaceId,
    }),
  ];
  const reference = { type: 'module', moduleId: modules[0] };
  modules.push(
    await createResource(owner, '/api/modules', {
      ...named,
      content: { ...content, blocks: [reference, { ...reference, version: 1 }] },
      category: word,
      workspaceId,
    }),
  );
  for (let version = 2; version <= versions; version++) {
    await owner.put(`/api/modules/${modules[0] ?? ''}`, { name: `${name} ${version}` });
  }
  const trashed = [
    await createResource(owner, '/api/templates', { name, content, workspaceId }),
    await createResource(owner, '/api/modules', { ...named, category: word, workspaceId }),
  ];
  await owner.delete(`/api/templates/${trashed[0]}`);
  await owner.delete(`/api/modules/${trashed[1]}`);
  await owner.post(`/api/webhooks/${webhook.id}/test`);

  const member = await (
    await galley.clientFor(`${word}-member`)
  ).get<{ user: { id: string } }>('/api/auth/me');
  await owner.post(`${path}/members`, { userId: member.body.user.id, role: 'viewer' });
  await owner.post(`${path}/members`, { email: `${word}@example.com`, role: 'editor' });
  const keys = [];
  for (const role of ['viewer', 'admin']) {
    keys.push((await owner.post<{ id: string; key: string }>(`${path}/keys`, { name, role })).body);
  }
  const service = new Client(galley.url, keys[1]?.key);

  const deliveries = (id: string) => `/api/webhooks/${id}/deliveries`;
  const readList = async (list: string) =>
    (await owner.get<{ data: { id: string; userId: string; status: string }[] }>(list)).body.data;
  await waitUntilSettled(galley, owner, workspaceId);
  const replays = `/api/webhooks/${webhook.id}/replays`;
  const replay = await createResource(owner, replays, { since: '2026-01-01T00:00:00Z' });
  await eventually('the replay', async () => (await readList(replays))[0]?.status === 'done');
  const updates = `/api/modules/${modules[0]}/usage-updates`;
  const update = await createResource(owner, `/api/modules/${modules[0]}/update-usages`, {
    toVersion: 1,
    all: true,
  });
  await eventually('the update', async () => (await readList(updates))[0]?.status === 'done');
  await waitUntilSettled(galley, owner, workspaceId);

  const robots = await galley.database.query<{ id: string }>(
    'SELECT user_id AS id FROM api_keys WHERE workspace_id = $1',
    [workspaceId],
  );
  return {
    owner,
    service,
    ids: {
      workspace: [workspaceId, otherWorkspaceId],
      template: templates,
      external: [word],
      version: [String(versions)],
      module: modules,
      trashed,
      environment: [word],
      publication: [publication],
      webhook: [webhook.id, disabledWebhook.id],
      delivery: [
        ...(await readList(deliveries(webhook.id))).map(({ id }) => id).slice(0, 2),
        ...(await readList(deliveries(disabledWebhook.id))).map(({ id }) => id).slice(0, 2),
      ],
      replay: [replay],
      update: [update],
      key: keys.map(({ id }) => id),
      newcomer: [member.body.user.id],
      robot: robots.map(({ id }) => id),
      member: (await readList(`${path}/members`)).map(({ userId }) => userId),
    },
    secrets: [word, webhook.secret, disabledWebhook.secret, ...keys.map(({ key }) => key)],
  };
}

/** Waits until no enabled webhook has a pending delivery and all events can be read. */
async function waitUntilSettled(galley: Galley, owner: Client, workspaceId: string): Promise<void> {
  const pending = `webhook_deliveries JOIN webhook_endpoints endpoint ON endpoint.id = endpoint_id
    WHERE status <> 'disabled' AND endpoint.workspace_id = '${workspaceId}'`;
  await eventually(`${workspaceId} to settle`, async () => {
    const count = (what: string) => galley.database.count(what);
    if (await count(`outbox WHERE workspace_id = '${workspaceId}'`)) return false;
    const { body } = await owner.get<{ data: unknown[] }>(`/api/events?workspaceId=${workspaceId}`);
    const events = await count(`events WHERE workspace_id = '${workspaceId}'`);
    return body.data.length === events && (await count(pending)) === 0;
  });
}
