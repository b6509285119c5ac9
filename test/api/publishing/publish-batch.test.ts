import { beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Client } from '../../support/api/client.js';
import { documentOf, text } from '../../support/api/drawable.js';
import { createResource } from '../../support/galley/resources.js';
import { useSharedGalley } from '../../support/galley/shared-galley.js';

interface Body {
  data: { templateId: string; version: number; environment: string; note: string }[];
  code: string;
  message: string;
  details: { path: string; message: string }[];
}

const galley = useSharedGalley();
let ada: Client;
let eve: Client;
let workspaceId: string;
let ids: string[];

beforeAll(async () => {
  [ada, eve] = await Promise.all([galley.clientFor('ada'), galley.clientFor('eve')]);
});
beforeEach(async () => {
  workspaceId = (await galley.createWorkspaceFor('ada')).id;
  const content = documentOf(text('Hello'));
  const create = (name: string) =>
    createResource(ada, '/api/templates', { name, workspaceId, content, externalId: name });
  ids = await Promise.all(['one', 'two'].map(create));
});

const publish = (templates: object[], body: object = {}, client = ada) =>
  client.post<Body>(`/api/workspaces/${workspaceId}/publish`, { templates, ...body });
const publishedVersion = async (id: string | undefined) =>
  (await ada.get<{ version?: number }>(`/api/templates/${id}/published`)).body.version;
it('publishes all templates, by either id, in the order of the request', async () => {
  await ada.put(`/api/templates/${ids[1]}`, { name: 'Two' });
  const { status, body } = await publish([{ externalId: 'two' }, { id: ids[0], version: 1 }], {
    note: 'Spring',
  });
  expect(status).toBe(200);
  expect(body.data).toMatchObject([
    { templateId: ids[1], version: 2, environment: 'production', note: 'Spring' },
    { templateId: ids[0], version: 1 },
  ]);
  expect([await publishedVersion(ids[0]), await publishedVersion(ids[1])]).toEqual([1, 2]);
  // A version that is published already has no event.
  const again = await publish([{ id: ids[0] }, { id: ids[1] }]);
  expect(again.body.data).toEqual([body.data[1], body.data[0]]);
});

it.each<[string, () => object[], number, string]>([
  ['a version that does not exist', () => [{ id: ids[0] }, { id: ids[1], version: 9 }], 404, '1'],
  ['an unknown external id', () => [{ id: ids[0] }, { externalId: 'three' }], 404, '1'],
  ['the same template twice', () => [{ id: ids[0] }, { externalId: 'one' }], 400, '1'],
])('%s publishes nothing', async (_name, templates, expected, place) => {
  const { status, body } = await publish(templates());
  expect([status, body.details[0]?.path]).toEqual([expected, `templates/${place}`]);
  expect(await publishedVersion(ids[0])).toBeUndefined();
});

it.each([
  [[], 'must be a list of 1 to 100 templates'],
  [[{}], 'at index 0'],
  [[{ externalId: 'one', version: 0 }], 'at index 0'],
  [[{ externalId: 'one', id: '01936f60-0b7e-7a66-a1d4-93c8f0e27b15' }], 'at index 0'],
])('%j gets 400', async (templates, message) => {
  const { status, body } = await publish(templates);
  expect([status, body.message]).toEqual([400, expect.stringContaining(message)]);
});

it('a template of another workspace is not found', async () => {
  const other = (await galley.createWorkspaceFor('ada')).id;
  const foreign = await createResource(ada, '/api/templates', { name: 'A', workspaceId: other });
  expect((await publish([{ id: foreign }])).status).toBe(404);
  expect((await publish([{ id: ids[0] }], {}, eve)).status).toBe(403);
  expect((await publish([{ id: ids[0] }], { environment: 'none' })).status).toBe(404);
});

it('one version with errors keeps all from being published', async () => {
  const settings = `/api/workspaces/${workspaceId}/check-settings`;
  await ada.put(settings, { errorsBlockPublishing: true });
  const bad = documentOf(text('<a href="#">Our offers</a>'));
  await ada.put(`/api/templates/${ids[1]}`, { content: bad });
  const { status, body } = await publish([{ id: ids[0] }, { id: ids[1] }]);
  expect([status, body.code]).toEqual([409, 'checks_failed']);
  expect(body.details[0]?.path).toMatch(/^templates\/1\/content\/stripes/);
  expect(await publishedVersion(ids[0])).toBeUndefined();
  expect((await publish([{ id: ids[0] }, { id: ids[1], version: 1 }])).status).toBe(200);
});

it('batches that overlap do not wait for each other for ever', async () => {
  const [one, two] = [{ id: ids[0] }, { id: ids[1] }];
  const responses = await Promise.all([
    publish([one, two]),
    publish([two, one]),
    publish([one, two]),
    publish([two, one]),
  ]);
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
});
