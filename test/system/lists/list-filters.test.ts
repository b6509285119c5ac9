import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Client } from '../../support/api/client.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';
import { createResource } from '../../support/galley/resources.js';
import { signInUsers } from '../../support/galley/users.js';

type List = { data: { id: string; name: string }[]; nextCursor: string | null; syncCursor: string };

let galley: Galley;
let ada: Client;
let workspaceId: string;
let bobId: string;
let adaId: string;

beforeAll(async () => {
  galley = await startGalley();
  ada = await galley.clientFor('ada');
  workspaceId = (await galley.createWorkspaceFor('ada')).id;
  bobId = (await signInUsers(galley, ['bob'])).bob.id;
  adaId = (await ada.get<{ user: { id: string } }>('/api/auth/me')).body.user.id;
  await ada.post(`/api/workspaces/${workspaceId}/members`, { userId: bobId, role: 'editor' });
});
afterAll(() => galley.stop());

const create = (client: Client, kind: string, name: string, fields: object = {}) =>
  createResource(client, `/api/${kind}s`, { name, workspaceId, content: {}, ...fields });
const namesOf = async (kind: string, query: string) => {
  const url = `/api/${kind}s?workspaceId=${workspaceId}&sort=name&${query}`;
  return (await ada.get<List>(url)).body.data.map(({ name }) => name);
};

describe('a list', () => {
  it('can be filtered by who created and changed a document', async () => {
    const bob = await galley.clientFor('bob');
    const id = await create(bob, 'template', 'of Bob, changed by Ada');
    await create(bob, 'template', 'of Bob');
    await create(ada, 'template', 'of Ada');
    await ada.put(`/api/templates/${id}`, { tags: ['x'] });
    expect(await namesOf('template', `createdBy=${bobId}`)).toEqual([
      'of Bob',
      'of Bob, changed by Ada',
    ]);
    expect(await namesOf('template', `updatedBy=${bobId}`)).toEqual(['of Bob']);
    expect(await namesOf('template', `updatedBy=${adaId}&createdBy=${bobId}`)).toEqual([
      'of Bob, changed by Ada',
    ]);
  });

  it('can be filtered by a module that documents use', async () => {
    const module = await create(ada, 'module', 'Footer');
    const block = { type: 'module', moduleId: module };
    const content = { stripes: [{ blocks: [block, { ...block, version: 1 }, block] }] };
    await create(ada, 'template', 'uses the module twice', { content });
    await create(ada, 'module', 'nests the module', { content: { ...content, type: 'stripe' } });
    expect(await namesOf('template', `moduleId=${module}`)).toEqual(['uses the module twice']);
    expect(await namesOf('module', `moduleId=${module}`)).toEqual(['nests the module']);
    expect(await namesOf('module', `moduleId=${workspaceId}`)).toEqual([]);
  });

  it('can be filtered by whether a template is published', async () => {
    const id = await create(ada, 'template', 'published 1', { tags: ['news'] });
    await create(ada, 'template', 'published never', { tags: ['news'] });
    await ada.post(`/api/templates/${id}/publish`, { version: 1 });
    expect(await namesOf('template', 'published=true')).toEqual(['published 1']);
    expect(await namesOf('template', 'published=false&tags=news')).toEqual(['published never']);
    expect(await namesOf('template', 'published=true&environment=staging')).toEqual([]);
    await ada.post(`/api/templates/${id}/unpublish`);
    expect(await namesOf('template', 'published=true')).toEqual([]);
  });

  it.each(['published=maybe', 'tagsMatch=some', 'tags=', 'tags=a,,b', 'environment=A B'])(
    'refuses %s',
    async (query) => {
      const url = `/api/templates?workspaceId=${workspaceId}&${query}`;
      expect((await ada.get(url)).status).toBe(400);
    },
  );
});

describe('a list of more documents than a page scans', () => {
  const ROWS = 12_000;
  const COMMON = 3_000;
  let largeId: string;

  beforeAll(async () => {
    largeId = (await galley.createWorkspaceFor('ada')).id;
    await galley.database.query(
      `WITH reason AS (SELECT set_config('galley.no_event', 'not under test', true))
       INSERT INTO documents (id, kind, workspace_id, name, events, tags, created_at, updated_at)
       SELECT gen_random_uuid(), 'template', $1, 'Name ' || number, 1,
         CASE WHEN number % 4 = 0 THEN ARRAY['common'] ELSE '{}' END
           || CASE WHEN number = 9999 THEN ARRAY['rare'] ELSE '{}' END,
         now() - number * interval '1 second', now() - number * interval '1 second'
       FROM reason, generate_series(1, ${ROWS}) number`,
      [largeId],
    );
    await galley.database.query('VACUUM ANALYZE documents, document_tags');
  });

  it('has all documents that use a module, even if each uses two versions of it', async () => {
    const documents = 1_500;
    const [module] = await galley.database.query<{ id: string }>(
      `WITH module AS (SELECT gen_random_uuid() AS id), used AS (
         INSERT INTO module_usages (document_id, document_kind, module_id, pinned_version, occurrences)
         SELECT document.id, 'template', module.id, version, 1
         FROM module, generate_series(0, 1) version,
           (SELECT id FROM documents WHERE workspace_id = $1 ORDER BY id LIMIT ${documents}) document
       )
       SELECT id FROM module`,
      [largeId],
    );
    const pages = await readAll(`moduleId=${module?.id}`);
    expect(pages.flatMap(({ data }) => data)).toHaveLength(documents);
  });

  async function readAll(query: string) {
    const pages: List[] = [];
    for (let cursor = ''; pages.at(-1)?.nextCursor !== null;) {
      const url = `/api/templates?workspaceId=${largeId}&content=false&limit=100&${query}${cursor}`;
      const { body } = await ada.get<List>(url);
      pages.push(body);
      cursor = `&cursor=${body.nextCursor}`;
    }
    return pages;
  }

  it.each(['-updatedAt', 'updatedAt', 'name', '-name', 'createdAt', '-createdAt'])(
    'ends a page after 5,000 documents that do not match, and continues there, by %s',
    async (sort) => {
      const pages = await readAll(`search=9999&sort=${sort}`);
      expect(pages.length).toBeLessThanOrEqual(3);
      expect(pages.flatMap(({ data }) => data)).toMatchObject([{ name: 'Name 9999' }]);
      expect(await readAll(`tags=rare&sort=${sort}`)).toMatchObject([
        { data: [{ name: 'Name 9999' }], nextCursor: null },
      ]);
      const common = (await readAll(`tags=common&sort=${sort}`)).flatMap(({ data }) => data);
      expect(new Set(common.map(({ id }) => id)).size).toBe(COMMON);
      expect(common).toHaveLength(COMMON);
      if (sort.endsWith('updatedAt')) {
        const numbers = common.map(({ name }) => Number(name.slice(5)));
        const ascending = numbers.toSorted((one, other) => one - other);
        expect(numbers).toEqual(sort === '-updatedAt' ? ascending : ascending.reverse());
      }
    },
  );

  it('has a syncCursor after what was scanned', async () => {
    const pages = await readAll('search=no+such+name&sort=updatedAt');
    expect(pages.map(({ data }) => data.length)).toEqual([0, 0, 0]);
    const id = await createResource(ada, '/api/templates', {
      name: 'No such name',
      workspaceId: largeId,
    });
    const url = `/api/templates?workspaceId=${largeId}&search=no+such+name&sort=updatedAt`;
    const { body } = await ada.get<List>(`${url}&cursor=${pages.at(-1)?.syncCursor}`);
    expect(body.data.map((template) => template.id)).toEqual([id]);
  });
});
