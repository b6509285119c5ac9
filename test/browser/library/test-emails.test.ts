import { beforeAll, expect, it } from '@jest/globals';
import { createTemplate, createWorkspace } from '#client';
import { documentOf, text } from '../../support/api/drawable.js';
import { clientFor } from '../support/stack.js';
import { useBrowser, Visitor } from '../support/visitor.js';

const EMAIL = 'ada@example.com';
let ada: Visitor;

useBrowser();
beforeAll(async () => {
  const { generated: client } = await clientFor(EMAIL);
  const { id: workspaceId } = (await createWorkspace({ client, body: { name: 'Post' } })).data;
  const content = { ...documentOf(text('Hello')), subject: 'A test of the form' };
  const body = { workspaceId, name: 'Letter', content };
  const { id } = (await createTemplate({ client, body })).data;
  ada = await Visitor.signIn(EMAIL, `/settings/w/${workspaceId}/templates/${id}/preview`);
});

it('sends the email of the preview to the person who looks at it', async () => {
  const to = ada.page.getByRole('textbox', { name: 'Send a test email to' });
  expect(await to.inputValue()).toBe(EMAIL);
  await ada.page.getByRole('button', { name: 'Send a test email' }).click();
  await ada.page.getByRole('status').getByText(EMAIL).waitFor();
});

it('says why an address gets no email', async () => {
  await ada.page.getByRole('textbox', { name: 'Send a test email to' }).fill('nobody');
  await ada.page.getByRole('button', { name: 'Send a test email' }).click();
  await ada.page.getByText('must be an email address').waitFor();
});
