import { expect, it } from '@jest/globals';
import { parseRequest } from './request.js';

const ID = '01900000-0000-7000-8000-000000000000';

it.each([
  ['webhooks pause ID ID --reason a', `webhooks pause does not take "${ID}"`],
  ['webhooks pause ID --reason a --limit 3', 'webhooks pause does not take --limit'],
  ['webhooks resume ID --reason a --sort oldest', 'webhooks resume does not take --sort'],
  ['webhooks --reason a', 'webhooks does not take --reason'],
  ['webhooks ID', `webhooks does not take "${ID}"`],
  ['backlog --sort oldest', 'backlog does not take --sort'],
  ['backlog --workspace ID', 'backlog does not take --workspace'],
  ['users ada@example.com bob@example.com', 'users does not take "bob@example.com"'],
  ['users ada@example.com --sort oldest', 'users does not take --sort'],
])('admin %s is refused', (line, message) => {
  const args = line.replaceAll('ID', ID).split(' ');
  expect(() => parseRequest(args)).toThrow(`${message}: see --help.`);
});

it('the arguments of views and of actions are parsed', () => {
  expect(parseRequest(`webhooks pause ${ID} --reason a`.split(' '))).toEqual({
    action: 'pause',
    webhookId: ID,
    reason: 'a',
  });
  const view = `webhooks --workspace ${ID} --sort oldest --limit 3 --json`.split(' ');
  expect(parseRequest(view)).toEqual({
    command: 'webhooks',
    workspaceId: ID,
    sort: 'oldest',
    limit: 3,
    isJson: true,
  });
  expect(parseRequest(['backlog'])).toMatchObject({ command: 'backlog', limit: 20 });
});
