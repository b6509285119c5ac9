import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Client } from '../../support/api/client.js';
import { box, refer, text, withBlocks } from '../../support/api/references.js';
import { useSharedGalley } from '../../support/galley/shared-galley.js';
import { createResource } from '../../support/galley/resources.js';
import { itRaces } from '../../support/it-races.js';
import { itTimed } from '../../support/it-timed.js';

interface Document {
  id: string;
  version: number;
  content: object;
  warnings?: { path: string; moduleId: string; problem: string }[];
}

const galley = useSharedGalley();
let ada: Client;
let workspaceId: string;

beforeAll(async () => {
  ada = await galley.clientFor('ada');
  workspaceId = (await galley.createWorkspaceFor('ada')).id;
});

const createModule = (content: object, fields: object = {}) =>
  createResource(ada, '/api/modules', { name: 'Module', workspaceId, content, ...fields });
const createTemplate = (content: object) =>
  createResource(ada, '/api/templates', { name: 'Template', workspaceId, content });
const updateModule = (id: string, content: object) => ada.put(`/api/modules/${id}`, { content });
const expand = async (path: string, client = ada) =>
  (await client.get<Document>(`${path}?expand=modules`)).body;
const mark = (id: string, version: number, pinned = false) => ({
  $module: { id, name: 'Module', version, pinned },
});
const empty = (id: string, problem: string, type = 'block') => ({ $module: { id, problem }, type });

describe('a reference', () => {
  it('that follows a module shows the latest version; a pinned one does not change', async () => {
    const id = await createModule(text('One'));
    const content = withBlocks(text('Before'), refer(id), refer(id, 1));
    const template = await createTemplate(content);
    const path = `/api/templates/${template}`;
    const expanded = (version: number, value: string) =>
      withBlocks(
        text('Before'),
        { ...mark(id, version), ...text(value) },
        { ...mark(id, 1, true), ...text('One') },
      );
    expect(await expand(path)).toMatchObject({ content: expanded(1, 'One'), warnings: [] });
    await updateModule(id, text('Two'));
    const response = await ada.get<Document>(`${path}?expand=modules`);
    expect(response.body.content).toEqual(expanded(2, 'Two'));
    const etag = response.headers.get('etag') ?? '';
    const revalidate = () =>
      ada.raw('GET', `${path}?expand=modules`, undefined, { 'if-none-match': etag });
    expect((await revalidate()).status).toBe(304);
    await updateModule(id, text('Three'));
    expect((await revalidate()).status).toBe(200);
    await updateModule(id, text('Two'));
    const rename = JSON.stringify({ name: 'Template' });
    const headers = { 'content-type': 'application/json', 'if-match': etag };
    expect((await ada.raw('PUT', path, rename, headers)).status).toBe(200);
    expect((await ada.get<Document>(path)).body).toMatchObject({ version: 1, content });

    const list = await ada.get<{ data: Document[] }>(
      `/api/templates?workspaceId=${workspaceId}&expand=modules&limit=1`,
    );
    expect(list.body.data).toMatchObject([{ content: expanded(4, 'Two'), warnings: [] }]);
    // A version shows the modules of its time.
    expect(await expand(`${path}/versions/1`)).toMatchObject({ content: expanded(1, 'One') });
    const versions = await ada.get<{ data: Document[] }>(
      `${path}/versions?content=true&expand=modules`,
    );
    expect(versions.body.data).toMatchObject([{ content: expanded(1, 'One') }]);
  });

  it('may be in a module, whose references follow their modules until it is pinned', async () => {
    const inner = await createModule(text('One'));
    const outer = await createModule({ type: 'container', blocks: [refer(inner)] });
    const content = {
      stripes: [{ type: 'stripe', containers: [refer(outer), refer(outer, 1)] }],
    };
    const template = await createTemplate(content);
    await updateModule(inner, text('Two'));
    const [following, pinned] = [2, 1].map((version) => [
      { ...mark(inner, version), ...text(version === 2 ? 'Two' : 'One') },
    ]);
    expect((await expand(`/api/templates/${template}`)).content).toEqual({
      stripes: [
        {
          type: 'stripe',
          containers: [
            { ...mark(outer, 1), type: 'container', blocks: following },
            { ...mark(outer, 1, true), type: 'container', blocks: pinned },
          ],
        },
      ],
    });
    expect((await expand(`/api/modules/${outer}`)).content).toEqual({
      type: 'container',
      blocks: following,
    });
  });

  it('to a deleted or foreign module becomes an empty node with a warning', async () => {
    const bob = await galley.clientFor('bob');
    const bobsWorkspace = (await galley.createWorkspaceFor('bob')).id;
    const members = `/api/workspaces/${bobsWorkspace}/members`;
    const { user } = (await ada.get<{ user: { id: string } }>('/api/auth/me')).body;
    await bob.post(members, { userId: user.id, role: 'viewer' });
    const foreign = await createResource(bob, '/api/modules', {
      name: 'Module',
      workspaceId: bobsWorkspace,
      content: text('Bob'),
    });
    const deleted = await createModule(text('Gone'));
    const template = await createTemplate(withBlocks(refer(foreign), refer(deleted)));
    const path = `/api/templates/${template}`;
    const foreignNode = { ...mark(foreign, 1), ...text('Bob') };
    expect((await expand(path)).content).toEqual(
      withBlocks(foreignNode, { ...mark(deleted, 1), ...text('Gone') }),
    );
    await ada.delete(`/api/modules/${deleted}?force=true`);
    expect(await expand(path)).toMatchObject({
      content: withBlocks(foreignNode, empty(deleted, 'not_found')),
      warnings: [
        {
          path: '/stripes/0/containers/0/blocks/1',
          moduleId: deleted,
          problem: 'not_found',
        },
      ],
    });
    await bob.delete(`${members}/${user.id}`);
    expect((await expand(path)).content).toEqual(
      withBlocks(empty(foreign, 'not_found'), empty(deleted, 'not_found')),
    );
  });

  it('is an empty node if the module has become another kind of node', async () => {
    const id = await createModule(text('One'));
    const template = await createTemplate(withBlocks(refer(id)));
    await updateModule(id, { type: 'stripe', containers: [] });
    const { content, warnings } = await expand(`/api/templates/${template}`);
    expect(content).toEqual(withBlocks(empty(id, 'wrong_kind')));
    expect(warnings).toHaveLength(1);
  });

  it('keeps the text around it, character by character', async () => {
    const id = await createModule({});
    const source = `{ "10": 1.0, "blocks": [ {"type":"module", "moduleId":"${id.toUpperCase()}"} ,2e0 ], "1":"\\u00e9" }`;
    const body = `{"name":"A","workspaceId":"${workspaceId}","content":${source}}`;
    const headers = { 'content-type': 'application/json' };
    const created = await ada.raw<Document>('POST', '/api/templates', body, headers);
    const response = await ada.get(`/api/templates/${created.body.id}?expand=modules`);
    const node = JSON.stringify(mark(id, 1));
    expect(response.text).toContain(
      `"content":{ "10": 1.0, "blocks": [ ${node} ,2e0 ], "1":"\\u00e9" }`,
    );
  });
});

it('a page of expanded documents ends before a document that does not fit', async () => {
  const fields = { name: 'A', workspaceId: (await galley.createWorkspaceFor('ada')).id };
  for (let index = 0; index < 8; index++) {
    const content = text('x'.repeat(700_000));
    const id = await createResource(ada, '/api/modules', { ...fields, content });
    await createResource(ada, '/api/templates', { ...fields, content: withBlocks(refer(id)) });
  }
  const sizes: number[] = [];
  const warnings: unknown[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const { body }: { body: { data: Document[]; nextCursor: string | null } } = await ada.get(
      `/api/templates?workspaceId=${fields.workspaceId}&expand=modules${cursor}`,
    );
    sizes.push(body.data.length);
    warnings.push(...body.data.flatMap((template) => template.warnings));
    cursor = body.nextCursor && `&cursor=${body.nextCursor}`;
  }
  expect(sizes).toEqual([5, 3]);
  expect(warnings).toEqual([]);
});

it('malformed references of a stored document stay as they are when it is expanded', async () => {
  const id = await createModule(text('One'));
  const template = await createTemplate(withBlocks(refer(id)));
  const old = [
    '"version":1,"asOf":"banana 5"',
    '"version":1,"asOf":"0000-01-01T00:00:00Z"',
    '"version":{"a":1}',
    '"version":2,"version":1',
  ].map((members) => `{"type":"module","moduleId":"${id}",${members}}`);
  const content = `{"blocks":[${old.join(',')}]}`;
  await galley.query('UPDATE document_versions SET content = $2 WHERE document_id = $1', [
    template,
    content,
  ]);
  const response = await ada.get(`/api/templates/${template}?expand=modules`);
  expect(response.status).toBe(200);
  expect(response.text).toContain(`"content":${content}`);
});

describe('a document is refused', () => {
  const unknown = '00000000-0000-7000-8000-000000000000';
  const refusal = async (content: object, path = '/api/templates') => {
    const { status, body } = await ada.post<{ message: string; details?: { path: string }[] }>(
      path,
      { name: 'A', workspaceId, content },
    );
    return { status, message: body.message, path: body.details?.[0]?.path };
  };
  const at = 'content.stripes.0.containers.0.blocks.0';

  it.each([
    ['refers to a module that does not exist', [unknown], 'that does not exist'],
    ['has a malformed id', ['x'], 'must have the id of a module in moduleId'],
    ['has a malformed version', [unknown, 0], 'must have a version number in version'],
    ['has a malformed time', [unknown, 1, '+010000-01-01T00:00:00Z'], 'must have a time such as'],
    ['has a time in the future', [unknown, 1, '2099-01-01T00:00:00Z'], 'an asOf in the future'],
  ] as const)('if it %s', async (_name, [id, version, asOf], message) => {
    const reply = await refusal(withBlocks({ ...refer(id, version), asOf }));
    expect(reply).toMatchObject({ status: 400, path: at });
    expect(reply.message).toContain(message);
  });

  it('if the module does not have the version, or does not fit the place', async () => {
    const id = await createModule({ type: 'container', blocks: [] });
    expect(await refusal(withBlocks(refer(id)))).toMatchObject({
      status: 400,
      message: `${at} must refer to a module whose content is a block`,
    });
    const container = { stripes: [{ containers: [refer(id, 2)] }] };
    expect(await refusal(container)).toMatchObject({
      status: 400,
      path: 'content.stripes.0.containers.0',
      message: 'content.stripes.0.containers.0 refers to a version that the module does not have',
    });
  });

  it('if it refers to a module of a workspace that the caller cannot read', async () => {
    const eve = await galley.clientFor('eve');
    const foreign = await createResource(eve, '/api/modules', {
      name: 'A',
      workspaceId: (await galley.createWorkspaceFor('eve')).id,
      content: text('Eve'),
    });
    expect(await refusal(withBlocks(refer(foreign)))).toMatchObject({ status: 400, path: at });
    expect(await refusal(withBlocks(refer(foreign)), '/api/modules')).toMatchObject({
      status: 400,
    });
  });

  it('if modules would be nested more than five deep, from above or from below', async () => {
    let id = await createModule(text('Innermost'));
    const innermost = id;
    const blocks = (moduleId: string) => ({ type: 'box', blocks: [refer(moduleId)] });
    for (let depth = 2; depth <= 5; depth++) id = await createModule(blocks(id));
    expect((await refusal(withBlocks(refer(id)))).status).toBe(201);
    expect(await refusal(blocks(id), '/api/modules')).toMatchObject({
      status: 400,
      message: 'content must not nest modules more than 5 deep',
    });
    const other = await createModule(text('Other'));
    const { status } = await updateModule(innermost, blocks(other));
    expect(status).toBe(400);
  });

  it('if it would be too large with the documents of its modules', async () => {
    const id = await createModule(text('x'.repeat(300_000)));
    const content = withBlocks(refer(id), refer(id), refer(id), refer(id));
    expect(await refusal(content)).toMatchObject({ status: 400, path: 'content' });
    const pair = await createModule({ type: 'box', blocks: [refer(id), refer(id)] });
    expect(await refusal(withBlocks(refer(pair), refer(pair)))).toMatchObject({ status: 400 });
    expect(await refusal(withBlocks(refer(pair)))).toMatchObject({ status: 201 });
  });

  it('if the size with the documents of its modules is not even an integer', async () => {
    const id = await createModule(text('x'.repeat(900_000)));
    const content = { type: 'box', blocks: Array.from({ length: 3_000 }, () => refer(id)) };
    for (const path of ['/api/templates', '/api/modules']) {
      expect(await refusal(content, path)).toMatchObject({
        status: 400,
        message: expect.stringContaining('must not be larger than'),
      });
    }
  });

  itTimed('within seconds, if it refers to a large module at many times', async () => {
    const id = await createModule(text('x'.repeat(1_000_000)));
    const blocks = Array.from({ length: 500 }, (_, second) => ({
      ...refer(id, 1),
      asOf: new Date(1_700_000_000_000 + second * 1_000).toISOString(),
    }));
    const start = performance.now();
    expect(await refusal({ blocks })).toMatchObject({ status: 400, path: 'content' });
    expect(performance.now() - start).toBeLessThan(3_000);
  });

  it('if it would be too large with modules that the same batch changes', async () => {
    const [inner, middle, outer] = await Promise.all(
      ['A', 'B', 'C'].map((value) => createModule(text(value))),
    );
    const pair = (id = '') => ({ type: 'box', blocks: [refer(id), refer(id)] });
    const update = (id: string | undefined, content: object) => ({ action: 'update', id, content });
    const batch = {
      workspaceId,
      operations: [
        update(outer, pair(middle)),
        update(middle, pair(inner)),
        update(inner, text('x'.repeat(300_000))),
      ],
    };
    const refused = await ada.post<{ message: string }>('/api/modules/batch', batch);
    expect(refused.body.message).toContain('must not be larger than');
    batch.operations[2] = update(inner, text('x'.repeat(200_000)));
    expect((await ada.post('/api/modules/batch', batch)).status).toBe(200);
    const rows = await galley.query<{ bytes: number }>(
      `SELECT expanded_bytes AS bytes FROM module_version_references WHERE module_id = ANY ($1)
       ORDER BY expanded_bytes`,
      [[middle, outer]],
    );
    expect(rows.map(({ bytes }) => Math.round(bytes / 200_000))).toEqual([2, 4]);
  });
});

describe('a cycle', () => {
  it('is refused, direct, indirect, pinned and in a batch', async () => {
    const [a, b] = [await createModule(text('A')), await createModule(text('B'))];
    const refusalOf = (id: string, content: object) => updateModule(id, content);
    expect((await refusalOf(a, box(a))).status).toBe(400);
    await updateModule(b, box(a));
    const indirect = await refusalOf(a, box(b));
    expect(indirect.status).toBe(400);
    expect(indirect.text).toContain('refers to a module that uses this module');
    expect((await refusalOf(a, { type: 'box', blocks: [refer(b, 2)] })).status).toBe(400);
    // B would show version 1 of itself, and could not be changed any more without giving up A.
    expect((await refusalOf(a, { type: 'box', blocks: [refer(b, 1)] })).status).toBe(400);
    const [c, d] = [await createModule(text('C')), await createModule(text('D'))];
    const batch = await ada.post('/api/modules/batch', {
      workspaceId,
      operations: [
        { action: 'update', id: c, content: box(d) },
        { action: 'update', id: d, content: box(c) },
      ],
    });
    expect(batch.status).toBe(400);
    expect((await ada.get<Document>(`/api/modules/${c}`)).body.version).toBe(1);
  });

  it('is refused through an older version, whichever module is changed last', async () => {
    const [a, b] = [await createModule(text('A')), await createModule(text('B'))];
    const older = { type: 'box', blocks: [refer(a, 1)] };
    await updateModule(a, box(b));
    expect((await updateModule(b, older)).text).toContain('refers to a module that uses this');
    await updateModule(a, text('A'));
    expect((await updateModule(b, older)).status).toBe(200);
    expect((await updateModule(a, box(b))).text).toContain('refers to a module that uses this');
  });

  itRaces('is not closed by a hundred changes at the same time', async () => {
    const RINGS = 25;
    const SIZE = 4;
    const create = () => createModule(text('A'));
    const rings = await Promise.all(
      Array.from({ length: RINGS }, () => Promise.all(Array.from({ length: SIZE }, create))),
    );
    const changes = rings.map((ids) =>
      ids.map(async (id, index) => updateModule(id, box(ids[(index + 1) % SIZE] ?? ''))),
    );
    for (const ring of changes) {
      const statuses = (await Promise.all(ring)).map(({ status }) => status);
      // The change that would close the ring is refused, and no other.
      expect(statuses.sort()).toEqual([200, 200, 200, 400]);
    }
  });
});
