import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Comparison } from '#client';
import { applyPatch, type Operation } from 'rfc6902';
import type { ApiResponse } from '../../support/api/api-response.js';
import type { Client } from '../../support/api/client.js';
import { createResource } from '../../support/galley/resources.js';
import { useSharedGalley } from '../../support/galley/shared-galley.js';
import { signInUsers, type TestUser } from '../../support/galley/users.js';

const PATCH_TYPE = 'application/json-patch+json';
const UNKNOWN_ID = '01900000-0000-7000-8000-000000000000';

const galley = useSharedGalley();
let users: Record<'ada' | 'bob', TestUser>;
let ada: Client;
let workspaceId: string;

beforeAll(async () => {
  users = await signInUsers(galley, ['ada', 'bob']);
  ada = users.ada.client;
  workspaceId = (await galley.createWorkspaceFor('ada')).id;
});

const block = (id: string, text: string) => ({ id, type: 'text', props: { text } });
const stripe = (id: string, ...blocks: object[]) => ({
  id,
  type: 'stripe',
  containers: [{ id: `${id}c`, type: 'container', blocks }],
});
const first = { stripes: [stripe('s1', block('b1', 'Hello')), stripe('s2', block('b2', 'Bye'))] };
const second = { stripes: [stripe('s2', block('b2', 'Bye')), stripe('s1', block('b1', 'Hi'))] };
const third = { stripes: [] };

describe('the version that an environment publishes', () => {
  let path: string;
  beforeAll(async () => {
    const template = { workspaceId, name: 'Published', content: first };
    path = `/api/templates/${await createResource(ada, '/api/templates', template)}`;
    await ada.put(path, { content: second });
    await ada.put(path, { content: third });
    await ada.post(`/api/workspaces/${workspaceId}/environments`, { name: 'staging' });
    await ada.post(`${path}/publish`, { environment: 'staging', version: 1 });
    await ada.post(`${path}/publish`, { environment: 'production', version: 2 });
  });

  it.each([
    ['from=production', 2, 3],
    ['to=production', 1, 2],
    ['to=staging', 1, 1],
    ['from=staging&to=production', 1, 2],
    ['from=3&to=staging', 3, 1],
  ])('is compared by its name in "%s": %i and %i', async (query, from, to) => {
    const { body } = await ada.get<Comparison>(`${path}/compare?${query}`);
    expect([body.from.version, body.to.version]).toEqual([from, to]);
    const patch = await ada.raw('GET', `${path}/compare?${query}`, undefined, {
      accept: PATCH_TYPE,
    });
    expect(patch.status).toBe(200);
  });

  it.each([
    ['from=unknown', 404, 'There is no such publication.'],
    ['to=unknown', 404, 'There is no such publication.'],
    [
      'to=Production',
      400,
      'to must be the number of a version, latest, or the name of an environment.',
    ],
  ])('is not found by "%s": %i', async (query, status, message) => {
    const { body, ...response } = await ada.get<{ message: string }>(`${path}/compare?${query}`);
    expect([response.status, body.message]).toEqual([status, message]);
  });

  it('is not a version of a module', async () => {
    const module = await createResource(ada, '/api/modules', {
      workspaceId,
      name: 'A',
      content: {},
    });
    expect((await ada.get(`/api/modules/${module}/compare?to=production`)).status).toBe(400);
  });
});

describe.each(['templates', 'modules'])('the versions of one of the %s', (kind) => {
  let path: string;
  let id: string;
  beforeAll(async () => {
    id = await createResource(ada, `/api/${kind}`, { workspaceId, name: 'One', content: first });
    path = `/api/${kind}/${id}`;
    await ada.put(path, { name: 'Two', content: second });
    await ada.put(path, { name: 'Three', content: third });
  });

  const compare = (query: string, client = ada) =>
    client.get<Comparison & { message: string }>(`${path}/compare?${query}`);

  it('are compared node by node', async () => {
    const { status, body, headers } = await compare('from=1&to=2');
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    expect(body).toEqual({
      from: { id, version: 1, name: 'One' },
      to: { id, version: 2, name: 'Two' },
      identical: false,
      identicalText: false,
      counts: { added: 0, removed: 0, moved: 1, changed: 1 },
      changes: [
        {
          type: 'moved',
          path: '/stripes/0',
          fromPath: '/stripes/1',
          nodeType: 'stripe',
          nodeId: 's2',
          matchedBy: 'id',
          fields: [],
          sentence: 'The stripe was moved from position 2 to position 1.',
        },
        {
          type: 'changed',
          path: '/stripes/1/containers/0/blocks/0',
          fromPath: '/stripes/0/containers/0/blocks/0',
          nodeType: 'text',
          nodeId: 'b1',
          matchedBy: 'id',
          fields: [{ name: 'props.text', before: 'Hello', after: 'Hi' }],
          sentence: 'The text block "Hi" in stripe 2, container 1 has different text.',
        },
      ],
      isComplete: true,
      breakingChanges: [],
      fields: [{ name: 'name', before: 'One', after: 'Two' }],
    });
  });

  it('names the changes of variables by which data may not fit any more', async () => {
    const withVariables = (required: string[]) => ({
      variables: { type: 'object', properties: { shop: { type: 'string' } }, required },
    });
    const own = await createResource(ada, '/api/templates', {
      name: 'A',
      workspaceId,
      content: withVariables([]),
    });
    await ada.put(`/api/templates/${own}`, { content: withVariables(['shop']) });
    const { body } = await ada.get<object>(`/api/templates/${own}/compare`);
    expect(body).toMatchObject({
      breakingChanges: [{ path: 'data/shop', message: 'is required now' }],
    });
  });

  it.each([
    ['', 2, 3],
    ['to=2', 1, 2],
    ['to=1', 1, 1],
    ['from=1', 1, 3],
    ['from=latest&to=1', 3, 1],
    ['from=latest&to=latest', 3, 3],
    ['from=3&to=2', 3, 2],
  ])('are chosen by the query "%s": %i and %i', async (query, from, to) => {
    const { body } = await compare(query);
    expect([body.from.version, body.to.version]).toEqual([from, to]);
    expect(body.identical).toBe(from === to);
  });

  const notSelector = expect.stringMatching(
    kind === 'modules'
      ? /^(from|to) must be the number of a version, or latest\.$/
      : /^(from|to) must be the number of a version, latest, or the name of an environment\.$/,
  );
  it.each([
    ['from=0', 400, notSelector],
    ['from=1.5', 400, notSelector],
    ['to=-1', 400, notSelector],
    ['to=', 400, notSelector],
    ['to=Latest', 400, notSelector],
    ['to=9999999999', 400, notSelector],
    ['from=1&from=2', 400, 'from must not be given more than once.'],
    ['version=1', 400, 'version is not a query parameter of this request.'],
    ['from=4', 404, 'There is no such version.'],
    ['to=999999999', 404, 'There is no such version.'],
    [`toId=${UNKNOWN_ID}`, 404, `There is no such ${kind.slice(0, -1)}.`],
    ['toId=x', 404, `There is no such ${kind.slice(0, -1)}.`],
  ])('are not compared with "%s": %i', async (query, status, message) => {
    const response = await compare(query);
    expect([response.status, response.body.message]).toEqual([status, message]);
    expect((await patchOf(`${path}/compare?${query}`)).status).toBe(status);
  });

  it('are compared with those of another one', async () => {
    const other = { workspaceId, name: 'Other', content: second };
    const toId = await createResource(ada, `/api/${kind}`, other);
    const { body } = await compare(`from=2&toId=${toId.toUpperCase()}`);
    expect(body).toMatchObject({
      from: { id, version: 2, name: 'Two' },
      to: { id: toId, version: 1, name: 'Other' },
      identical: true,
      changes: [],
      fields: [{ name: 'name', before: 'Two', after: 'Other' }],
    });
    // By default, the latest versions of both.
    expect((await compare(`toId=${toId}`)).body).toMatchObject({
      from: { version: 3 },
      to: { id: toId, version: 1 },
      counts: { added: 2, removed: 0, moved: 0, changed: 0 },
    });
  });

  it('are read only by members of both workspaces', async () => {
    const elsewhere = (await galley.createWorkspaceFor('bob')).id;
    const other = { workspaceId: elsewhere, name: 'Secret', content: first };
    const toId = await createResource(users.bob.client, `/api/${kind}`, other);
    const attempts = [
      await compare(`toId=${toId}`),
      await compare('from=1', users.bob.client),
      await users.bob.client.get(`/api/${kind}/${toId}/compare?toId=${id}`),
    ];
    expect(attempts.map(({ status }) => status)).toEqual([403, 403, 403]);
    await users.bob.client.post(`/api/workspaces/${elsewhere}/members`, {
      userId: users.ada.id,
      role: 'viewer',
    });
    expect((await compare(`from=1&toId=${toId}`)).body).toMatchObject({ identical: true });
  });

  it('are compared by meaning', async () => {
    const put = (content: string) =>
      ada.raw('PUT', path, `{"content":${content}}`, { 'content-type': 'application/json' });
    await put('{"b":1.0,"a":[{"c":9007199254740993}]}');
    await put('{ "a":[{"c":9007199254740993}], "b":1 }');
    const same = await compare('');
    expect(same.body).toMatchObject({ identical: true, identicalText: false, changes: [] });
    await put('{ "a":[{"c":9007199254740992}], "b":1 }');
    const { text } = await compare('');
    expect(text).toContain('"before":9007199254740993,"after":9007199254740992');
    expect((await patchOf(`${path}/compare`)).text).toBe(
      '[{"op":"replace","path":"/a/0/c","value":9007199254740992}]',
    );
  });
});

const patchOf = (path: string, accept = PATCH_TYPE): Promise<ApiResponse<Operation[]>> =>
  ada.with({ accept }).get<Operation[]>(path);

describe('a patch', () => {
  let path: string;
  beforeAll(async () => {
    const id = await createResource(ada, '/api/templates', {
      workspaceId,
      name: 'A',
      content: first,
    });
    await ada.put(`/api/templates/${id}`, { content: second });
    path = `/api/templates/${id}/compare`;
  });

  it('is sent to callers that prefer it, and turns one document into the other', async () => {
    const { status, headers, body } = await patchOf(path);
    expect([status, headers.get('content-type')]).toEqual([200, PATCH_TYPE]);
    expect(headers.get('vary')).toBe('Accept, Origin');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body.map(({ op }) => op)).toEqual(['move', 'replace']);
    const document = structuredClone(first);
    expect(applyPatch(document, body)).toEqual([null, null]);
    expect(document).toEqual(second);
  });

  it.each(['*/*', 'application/json', `${PATCH_TYPE};q=0.5, application/json`, 'text/html'])(
    'is not sent with "Accept: %s"',
    async (accept) => {
      const { headers, body } = await patchOf(path, accept);
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(headers.get('vary')).toBe('Accept, Origin');
      expect(body).toHaveProperty('changes');
    },
  );

  it('is replaced by an error in JSON if there is no such version', async () => {
    const { status, headers, body } = await patchOf(`${path}?from=7`);
    expect([status, headers.get('content-type')]).toEqual([404, 'application/json; charset=utf-8']);
    expect(body).toMatchObject({ code: 'not_found' });
  });

  it('to a GET has a HEAD like it', async () => {
    const { status, headers, text } = await ada.with({ accept: PATCH_TYPE }).send('HEAD', path);
    expect([status, headers.get('content-type'), text]).toEqual([200, PATCH_TYPE, '']);
  });
});

describe('a real document', () => {
  const folders = ['apps/settings/samples', 'test/samples', '../shared/samples'];
  const samplePaths = folders.flatMap((folder) => {
    try {
      return readdirSync(folder)
        .filter((name) => name.endsWith('.json'))
        .map((name) => join(folder, name));
    } catch {
      // A clone of the repository alone does not have the last folder.
      return [];
    }
  });

  /** Changes each third text a little, and reverses the first array with several elements. */
  function edit(document: object): object {
    let [textCount, isReversed] = [0, false];
    return JSON.parse(JSON.stringify(document), (name, value: unknown) => {
      if (typeof value === 'string' && name !== 'id' && name !== 'type') {
        return textCount++ % 3 === 0 ? `${value} 2` : value;
      }
      if (!Array.isArray(value) || isReversed || value.length < 2) return value;
      isReversed = true;
      return value.toReversed() as unknown;
    }) as object;
  }

  it.each(samplePaths)('%s is patched into its next version', async (path) => {
    const parsed = JSON.parse(readFileSync(path, 'utf8')) as { content?: object };
    // Printed again, because -0 and 0 mean the same in a patch, but not here.
    const content = JSON.parse(JSON.stringify(parsed.content ?? parsed)) as object;
    const id = await createResource(ada, '/api/templates', { workspaceId, name: 'A', content });
    const next = { ...edit(content), styles: (content as { styles?: unknown }).styles };
    await ada.put(`/api/templates/${id}`, { content: next });
    const comparePath = `/api/templates/${id}/compare`;
    const { body: comparison } = await ada.get<Comparison>(comparePath);
    expect([comparison.isComplete, comparison.counts.changed > 0]).toEqual([true, true]);
    const { body: patch } = await patchOf(comparePath);
    const document = structuredClone(content);
    expect(applyPatch(document, patch).filter((problem) => problem !== null)).toEqual([]);
    expect(document).toEqual(JSON.parse(JSON.stringify(next)));
  });
});
