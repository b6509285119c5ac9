import { beforeAll, expect, it } from '@jest/globals';
import type { Client } from '../../support/api/client.js';
import { documentOf, text } from '../../support/api/drawable.js';
import { createResource } from '../../support/galley/resources.js';
import { useSharedGalley } from '../../support/galley/shared-galley.js';

interface Rendered {
  text: string;
  message: string;
  details: object[];
  warnings: { path: string; message: string }[];
  variables: { used: string[]; missing: string[] };
}

const galley = useSharedGalley();
let ada: Client;
let workspaceId: string;
let templateId: string;

const variables = {
  type: 'object',
  required: ['order'],
  properties: {
    user: { type: 'object', properties: { name: { type: 'string', default: 'friend' } } },
    order: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } },
  },
};
const content = { ...documentOf(text('{{user.name}}: {{order.id}}')), variables };

beforeAll(async () => {
  ada = await galley.clientFor('ada');
  workspaceId = (await galley.createWorkspaceFor('ada')).id;
  templateId = await createResource(ada, '/api/templates', { name: 'A', workspaceId, content });
});

const render = (body: object) =>
  ada.post<Rendered>(`/api/templates/${templateId}/render`, { format: 'text', ...body });

it('strict mode refuses data that does not fit, and names the place', async () => {
  const { status, body } = await render({ strict: true, data: { order: { id: 7 } } });
  expect([status, body.message]).toEqual([
    400,
    'The data does not fit the variables of the document: data/order/id must be of the type string, not number.',
  ]);
  expect(body.details).toEqual([
    { path: 'data/order/id', message: 'must be of the type string, not number' },
  ]);
  expect((await render({ strict: true })).body.details).toEqual([
    { path: 'data/order', message: 'is missing' },
  ]);
});

it('data that fits is rendered with the defaults, strict or not', async () => {
  for (const strict of [true, false]) {
    const { status, body } = await render({ strict, data: { order: { id: 'A7' } } });
    expect([status, body.text]).toEqual([200, 'friend: A7\n']);
    expect(body.variables.missing).toEqual([]);
  }
  expect((await render({ data: { user: { name: 'Ada' }, order: { id: 7 } } })).body.text).toBe(
    'Ada: 7\n',
  );
});

it('a document without a declaration accepts any data in strict mode', async () => {
  const own = documentOf(text('{{user.name}}'));
  const body = { content: own, format: 'text', strict: true, data: { user: { name: 7 } } };
  expect((await ada.post<Rendered>('/api/render', body)).body.text).toBe('7\n');
});

it('a declaration that is no schema has a warning, and strict mode refuses it', async () => {
  const wrong = { ...content, variables: { type: 'object', required: 'order' } };
  const loose = await ada.post<Rendered>('/api/render', { content: wrong, format: 'text' });
  const sentence = '/variables/required must be a list of names.';
  expect(loose.body.warnings).toEqual([
    { nodeId: null, path: '/variables/required', message: `variables is ignored: ${sentence}` },
  ]);
  const strict = await ada.post<Rendered>('/api/render', { content: wrong, strict: true });
  expect([strict.status, strict.body.message]).toEqual([
    400,
    `The document cannot be rendered: ${sentence}`,
  ]);
});

it('each version has the types of its own declaration', async () => {
  await ada.put(`/api/templates/${templateId}`, { content: documentOf(text('Hello')) });
  const typesOf = (version: number) =>
    ada.raw('GET', `/api/templates/${templateId}/versions/${version}/types`);
  const first = await typesOf(1);
  expect(first.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(first.text).toContain('  order: {\n    id: string;\n');
  expect((await typesOf(2)).text).toBe('export type Data = Record<string, unknown>;\n');
  expect((await typesOf(3)).status).toBe(404);
});

it('checks compare the declaration with the email', async () => {
  const wrong = {
    ...documentOf(text('{{usr.name}} {{user.name}}')),
    variables,
    sampleData: { order: {} },
  };
  const { body } = await ada.post<{ findings: { rule: string; message: string }[] }>('/api/check', {
    content: wrong,
  });
  const ofVariables = body.findings.filter(({ rule }) => /^variable|^sample/.test(rule));
  expect(ofVariables.map(({ rule, message }) => `${rule}: ${message}`).sort()).toEqual([
    'sample-data-invalid: The sample data does not fit `variables`: sampleData/order/id is missing.',
    'variable-undeclared: `variables` does not declare usr.name.',
    'variable-unused: The email does not use order.',
  ]);
});

it('only the caller waits for a regular expression that never ends', async () => {
  const evil = {
    ...documentOf(text('Hello')),
    variables: { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } },
  };
  const slow = ada.post('/api/render', {
    content: evil,
    strict: true,
    data: { a: `${'a'.repeat(50)}!` },
  });
  const bob = await galley.clientFor('bob');
  const quick = await bob.post<Rendered>('/api/render', {
    content: documentOf(text('Quick')),
    format: 'text',
  });
  expect([quick.status, quick.body.text]).toEqual([200, 'Quick\n']);
  expect((await slow).status).toBe(503);
}, 30_000);
