import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from '../../support/api/client.js';
import { documentOf, text } from '../../support/api/drawable.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';
import { createResource } from '../../support/galley/resources.js';
import { MailServer } from '../../support/network/mail-server.js';

interface Response {
  accepted?: string[];
  response?: string;
  messageId?: string;
  message?: string;
  details?: { path: string }[];
}

const NOT_ALLOWED =
  'to must be the verified email address of an active member of the workspace, or an address of a domain that the operator allows (@example.org).';

let mailServer: MailServer;
let galley: Galley;
let ada: Client;
let workspaceId: string;
let templateId: string;

beforeAll(async () => {
  mailServer = await MailServer.start();
  galley = await startGalley({
    environment: {
      SMTP_URL: mailServer.url,
      MAIL_FROM: 'Galley, tests <galley@mail.example.com>',
      TEST_SEND_RECIPIENTS: 'Reviews@Example.net, @Example.org',
    },
  });
  ada = await clientOf('ada');
  workspaceId = await createResource(ada, '/api/workspaces', { name: 'Kitchen' });
  templateId = await createTemplate('Welcome', {
    sampleData: { user: { name: 'Grüße & <b>' } },
    ...documentOf(text('Hello {{user.name}}')),
  });
});
afterAll(async () => {
  await galley.stop();
  await mailServer.stop();
});
beforeEach(() => {
  mailServer.received.length = 0;
});

const emailOf = (name: string) => `${name}@users.example.com`;

/** Signs a user in whose email address the identity provider has verified, or not. */
async function clientOf(name: string, isVerified = true): Promise<Client> {
  const claims = { email: emailOf(name), email_verified: isVerified };
  return new Client(galley.url, await galley.issuer.token(name, { claims }));
}

async function addMember(name: string, isVerified = true, role = 'viewer'): Promise<Client> {
  const client = await clientOf(name, isVerified);
  const { body } = await client.get<{ user: { id: string } }>('/api/auth/me');
  const member = { userId: body.user.id, role };
  expect((await ada.post(`/api/workspaces/${workspaceId}/members`, member)).status).toBe(201);
  return client;
}

const createTemplate = (name: string, content: object): Promise<string> =>
  createResource(ada, '/api/templates', { name, workspaceId, content });

const send = (body: object, id = templateId, client = ada) =>
  client.post<Response>(`/api/templates/${id}/test-send`, { to: emailOf('ada'), ...body });

/** The only email that has arrived. */
function arrived(): MailServer['received'][number] {
  const [email, ...others] = mailServer.received;
  if (email === undefined || others.length > 0)
    throw new Error(`${mailServer.received.length} emails arrived.`);
  return email;
}

describe('a test email', () => {
  it('has HTML and plain text with the sample data, and says that it is a test', async () => {
    const { status, body } = await send({});
    expect([status, body]).toEqual([
      200,
      {
        accepted: [emailOf('ada')],
        response: '250 2.0.0 Ok: queued as 4711',
        messageId: expect.stringMatching(/^<[^<>\s]+@mail\.example\.com>$/),
      },
    ]);
    const { from, to, email, headers } = arrived();
    expect([from, to]).toEqual(['galley@mail.example.com', [emailOf('ada')]]);
    expect(email.subject).toBe('[Test] Welcome');
    expect(email.from?.value).toEqual([
      { name: 'Galley, tests', address: 'galley@mail.example.com' },
    ]);
    expect(email.messageId).toBe(body.messageId);
    expect(email.text?.trim()).toBe('Hello Grüße & <b>');
    expect(email.html).toContain('Hello Grüße &amp; &lt;b&gt;');
    expect(headers).toMatch(/^Content-Type: multipart\/alternative;/m);
    expect(headers).toMatch(/^Auto-Submitted: auto-generated\r$/m);
    expect(headers).not.toMatch(/^(?:List-|X-|Bcc|Cc)/im);
  });

  it('is as large as a large template', async () => {
    const line = `${'漢字 😀 '.repeat(20)}end`;
    const blocks = Array.from({ length: 300 }, (_, index) => text(`${index}. ${line}`));
    const id = await createTemplate('Large', documentOf(...blocks));
    expect((await send({}, id)).status).toBe(200);
    const html = arrived().email.html || '';
    expect(html.length).toBeGreaterThan(100_000);
    for (const index of [0, 150, 299]) expect(html).toContain(`${index}. ${line}`);
    expect(html).not.toContain('\ufffd');
  });

  it('has the version and the data of the request', async () => {
    const id = await createTemplate('Versions', documentOf(text('First {{name}}')));
    await ada.put(`/api/templates/${id}`, { content: documentOf(text('Second {{name}}')) });
    await send({ version: 1, data: { name: 'Bob' } }, id);
    expect(arrived().email.text).toContain('First Bob');
    expect((await send({ version: 3 }, id)).status).toBe(404);
  });

  it('keeps merge tags as they are written if there are no data', async () => {
    await send({}, await createTemplate('Tags', documentOf(text('Hello {{name}}'))));
    expect(arrived().email.text).toContain('Hello {{name}}');
  });

  it('has the title of the document as its subject, on one line', async () => {
    const title = 'Grüße\r\nBcc: eve@example.org\r\n\r\nbody';
    await send({}, await createTemplate('Named', { title, ...documentOf(text('Hello')) }));
    const { to, email, headers } = arrived();
    expect(email.subject).toBe('[Test] Grüße Bcc: eve@example.org body');
    expect(to).toEqual([emailOf('ada')]);
    expect(email.bcc).toBeUndefined();
    expect(headers).not.toMatch(/^Bcc/im);
  });

  it('has an entry in the audit log', async () => {
    await send({ to: 'Someone@Example.org' });
    const path = `/api/workspaces/${workspaceId}/audit?action=template.test_sent&targetId=${templateId}`;
    const { body } = await ada.get<{ data: { actor: { email: string }; details: object }[] }>(path);
    expect(body.data[0]).toMatchObject({
      actor: { email: emailOf('ada') },
      details: { email: 'someone@example.org', version: 1 },
    });
  });

  it('is not sent if the document cannot be rendered', async () => {
    const { status } = await send({}, await createTemplate('Foreign', { blocks: [] }));
    expect([status, mailServer.received]).toEqual([400, []]);
  });
});

describe('the recipient', () => {
  it.each(['grace@users.example.com', 'Grace@Users.Example.Com', ' grace@users.example.com '])(
    'may be a member: %j',
    async (to) => {
      const { status } = await send({ to });
      // The first row adds the member.
      if (status !== 200) await addMember('grace');
      expect((await send({ to })).status).toBe(200);
      expect(mailServer.received.at(-1)?.to).toEqual([emailOf('grace')]);
    },
  );

  it.each(['reviews@example.net', 'REVIEWS@example.NET', 'anyone@example.org'])(
    'may be on the list of the operator: %s',
    async (to) => {
      expect((await send({ to })).status).toBe(200);
    },
  );

  it('is refused otherwise, with a message that says who is allowed', async () => {
    await addMember('unverified', false);
    const members = `/api/workspaces/${workspaceId}/members`;
    await ada.post(members, { email: 'invited@users.example.com', role: 'editor' });
    await clientOf('stranger').then((stranger) => stranger.get('/api/auth/me'));
    for (const to of [
      emailOf('unverified'),
      emailOf('invited'),
      emailOf('stranger'),
      'other@example.net',
      'anyone@mail.example.org',
      'anyone@example.org.example.com',
    ]) {
      const { status, body } = await send({ to });
      expect([to, status, body.message]).toEqual([to, 400, NOT_ALLOWED]);
      expect(body.details?.map(({ path }) => path)).toEqual(['to']);
    }
    expect(mailServer.received).toEqual([]);
  });

  it('is no longer allowed when the member has left', async () => {
    const leaver = await addMember('leaver');
    expect((await send({ to: emailOf('leaver') })).status).toBe(200);
    const { body } = await leaver.get<{ user: { id: string } }>('/api/auth/me');
    await ada.delete(`/api/workspaces/${workspaceId}/members/${body.user.id}`);
    expect((await send({ to: emailOf('leaver') })).status).toBe(400);
  });

  it.each([
    undefined,
    null,
    7,
    '',
    'example.org',
    '@example.org',
    ['ada@example.org'],
    { address: 'ada@example.org' },
    'ada@example.org, eve@example.org',
    'ada@example.org\r\nBcc: eve@example.org',
    'ada@example.org>\r\nRCPT TO:<eve@example.org',
    '"a\r\nb"@example.org',
    '"a b"@example.org',
    'Ada <ada@example.org>',
    '<ada@example.org>',
    `${'x'.repeat(250)}@example.org`,
  ])('must be one plain address, not %j', async (to) => {
    const { status, body } = await send({ to });
    expect([status, body.details?.map(({ path }) => path)]).toEqual([400, ['to']]);
    expect(mailServer.received).toEqual([]);
  });
});

describe('who may send', () => {
  it('are editors of the workspace', async () => {
    const viewer = await addMember('viewer');
    const editor = await addMember('editor', true, 'editor');
    const stranger = await clientOf('stranger');
    const unknown = '01900000-0000-7000-8000-000000000000';
    expect((await send({}, templateId, viewer)).status).toBe(403);
    expect((await send({}, templateId, stranger)).status).toBe(403);
    expect((await send({}, unknown)).status).toBe(404);
    expect(mailServer.received).toEqual([]);
    expect((await send({}, templateId, editor)).status).toBe(200);
  });

  it('send templates, not modules', async () => {
    const module = { name: 'Footer', workspaceId, content: text('Footer') };
    const id = await createResource(ada, '/api/modules', module);
    expect((await send({}, id)).status).toBe(404);
  });
});

const redisUrl = process.env['REDIS_URL'];
const stores = [['in memory', ''] as const, ...(redisUrl ? [['in Redis', redisUrl] as const] : [])];

describe.each(stores)('test emails that are counted %s', (_store, REDIS_URL) => {
  const LIMIT = 3;
  let limited: Galley;

  beforeAll(async () => {
    const RATE_LIMIT_TEST_SENDS = String(LIMIT);
    limited = await startGalley({
      environment: { SMTP_URL: mailServer.url, REDIS_URL, RATE_LIMIT_TEST_SENDS },
    });
  });
  afterAll(() => limited.stop());

  it('have a limit for each user, which other requests do not share', async () => {
    const clients = await Promise.all(['ida', 'joe'].map((name) => limited.clientFor(name)));
    for (const [index, client] of clients.entries()) {
      const { body: workspace } = await client.post<{ id: string }>('/api/workspaces', {
        name: 'Mine',
      });
      const template = {
        name: 'Letter',
        workspaceId: workspace.id,
        content: documentOf(text('A')),
      };
      const id = await createResource(client, '/api/templates', template);
      const to = 'reviews@example.com';
      // A refused address does not count.
      expect((await send({ to: 'eve@elsewhere.example' }, id, client)).status).toBe(400);
      for (let count = 0; count < LIMIT; count++) {
        const { status, headers } = await send({ to }, id, client);
        expect([status, headers.get('ratelimit-policy')]).toEqual([200, null]);
      }
      const refused = await send({ to }, id, client);
      const seconds = Number(refused.headers.get('retry-after'));
      expect([refused.status, refused.body.message]).toEqual([
        429,
        `Too many test emails: the limit is ${LIMIT} an hour for each user or API key. Retry in ${seconds} seconds.`,
      ]);
      expect(seconds).toBeGreaterThan(3_000);
      expect(seconds).toBeLessThanOrEqual(3_600);
      expect((await client.get(`/api/templates/${id}`)).status).toBe(200);
      expect(mailServer.received).toHaveLength(LIMIT * (index + 1));
    }
  });
});

it('without an SMTP server, test emails are refused, and the settings area offers none', async () => {
  const off = await startGalley({ environment: { AUTH_CLIENT_ID: 'galley' } });
  try {
    const client = await off.clientFor('ada');
    const { id: ownWorkspaceId } = await off.createWorkspaceFor('ada');
    const template = { name: 'Letter', workspaceId: ownWorkspaceId };
    const id = await createResource(client, '/api/templates', template);
    const { status, body } = await send({}, id, client);
    expect([status, body.message]).toEqual([
      409,
      'This Galley sends no emails: its operator must set SMTP_URL and MAIL_FROM first.',
    ]);
    const config = await fetch(`${off.url}/settings/config.json`);
    expect(await config.json()).toMatchObject({ hasTestEmails: false });
  } finally {
    await off.stop();
  }
});
