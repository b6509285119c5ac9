import { beforeAll, expect, it } from '@jest/globals';
import type { Client } from '../../support/api/client.js';
import { documentOf, text } from '../../support/api/drawable.js';
import { createResource } from '../../support/galley/resources.js';
import { useSharedGalley } from '../../support/galley/shared-galley.js';

interface Rendered {
  fromName?: string;
  subject?: string;
  preheader?: string;
  html?: string;
  warnings: { message: string }[];
  variables: { used: string[]; missing: string[] };
}

const galley = useSharedGalley();
let ada: Client;
let workspaceId: string;

beforeAll(async () => {
  ada = await galley.clientFor('ada');
  workspaceId = (await galley.createWorkspaceFor('ada')).id;
});

const documentWith = (texts: object) => ({ ...documentOf(text('Hello')), ...texts });
const render = async (texts: object, data?: object) =>
  (await ada.post<Rendered>('/api/render', { content: documentWith(texts), format: 'text', data }))
    .body;

it('a template renders its subject, sender and preheader with the data, in every format', async () => {
  const content = documentWith({
    subject: 'Order {{order.number}} & thanks',
    fromName: '{{shop | default: "Corner Shop"}}',
    preheader: 'It arrives <soon>',
  });
  const id = await createResource(ada, '/api/templates', { name: 'A', workspaceId, content });
  for (const format of ['html', 'text', 'mjml', 'all']) {
    const body = { format, data: { order: { number: 7 } } };
    const rendered = (await ada.post<Rendered>(`/api/templates/${id}/render`, body)).body;
    expect(rendered).toMatchObject({
      subject: 'Order 7 & thanks',
      fromName: 'Corner Shop',
      preheader: 'It arrives <soon>',
      variables: { used: ['shop', 'order.number'], missing: [] },
    });
  }
});

it('without data, merge tags stay as they are written', async () => {
  const { subject, variables } = await render({ subject: 'Order {{order.number}}' });
  expect(subject).toBe('Order {{order.number}}');
  expect(variables.missing).toEqual(['order.number']);
});

it('a value cannot add a line, and so no header, to the message', async () => {
  const name = 'Ada\r\nBcc: mallory@example.com\u0085\u2028!';
  const { subject } = await render({ subject: ' Hello\n{{name}} ' }, { name });
  expect(subject).toBe('Hello Ada Bcc: mallory@example.com !');
});

it('a text is cut after 998 characters, and not inside a character', async () => {
  const { subject } = await render({ subject: '{{name}}' }, { name: `a${'😀'.repeat(600)}` });
  expect(subject).toBe(`a${'😀'.repeat(498)}`);
});

it('a document without these texts has none in its rendering, and an invalid one has a warning', async () => {
  expect(Object.keys(await render({ subject: ' ' })).sort()).toEqual([
    'text',
    'variables',
    'warnings',
  ]);
  const { warnings } = await render({ subject: 7 });
  expect(warnings.map(({ message }) => message)).toEqual([
    'subject has an invalid value, and is ignored.',
  ]);
});

it('a comparison shows a new subject', async () => {
  const body = { name: 'A', workspaceId, content: documentWith({ subject: 'Marmalade' }) };
  const id = await createResource(ada, '/api/templates', body);
  await ada.put(`/api/templates/${id}`, { content: documentWith({ subject: 'Honey' }) });
  const { body: compared } = await ada.get<{ fields: object[] }>(
    `/api/templates/${id}/compare?from=1&to=2`,
  );
  expect(JSON.stringify(compared)).toMatch(/subject.*Marmalade.*Honey/);
});
