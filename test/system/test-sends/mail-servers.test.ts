import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { probePort } from '../../../apps/standalone/ports.js';
import { Client } from '../../support/api/client.js';
import { documentOf, text } from '../../support/api/drawable.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';
import { createResource } from '../../support/galley/resources.js';
import { CertificateAuthority } from '../../support/network/certificates.js';
import { MailServer } from '../../support/network/mail-server.js';
import { startReadyProgram } from '../../support/processes/galley-programs.js';
import type { Program } from '../../support/processes/program.js';

const PASSWORD = 'p@ss word';
const URL_PASSWORD = encodeURIComponent(PASSWORD);
const LOGIN_REFUSED =
  'The mail server did not accept the login of Galley. The operator of Galley must correct SMTP_URL.';
const NO_TLS =
  'Galley could not encrypt its connection to the mail server. The operator of Galley must correct SMTP_URL or the certificate of the server.';
const UNREACHABLE =
  'The connection to the mail server failed. Retry in two minutes; if that does not help, tell the operator of Galley.';

let mailServer: MailServer;
let galley: Galley;
let ada: Client;
let templateId: string;

beforeAll(async () => {
  mailServer = await MailServer.start();
  galley = await startGalley({ environment: { SMTP_URL: mailServer.url } });
  ada = await galley.clientFor('ada');
  const { id: workspaceId } = await galley.createWorkspaceFor('ada');
  const template = { name: 'Welcome', workspaceId, content: documentOf(text('Hello')) };
  templateId = await createResource(ada, '/api/templates', template);
});
afterAll(async () => {
  await galley.stop();
  await mailServer.stop();
});
beforeEach(() => {
  mailServer.received.length = 0;
  mailServer.behaviour = { at: 'recipient', as: 'accept' };
});

async function send(client = ada) {
  const path = `/api/templates/${templateId}/test-send`;
  const to = { to: 'reviews@example.com' };
  const { status, headers, body } = await client.post<{ code?: string; message?: string }>(
    path,
    to,
  );
  return { status, message: body.message, retryAfter: headers.get('retry-after') };
}

describe('a mail server that', () => {
  it.each(['recipient', 'end'] as const)(
    'refuses an email for good at the %s is quoted',
    async (at) => {
      mailServer.behaviour = { at, as: { code: 550, text: '5.7.1 Not from you' } };
      expect(await send()).toEqual({
        status: 409,
        message: 'The mail server refused the email: 550 5.7.1 Not from you',
        retryAfter: null,
      });
    },
  );

  it.each(['recipient', 'end'] as const)(
    'refuses an email for now at the %s, as greylisting does, is quoted',
    async (at) => {
      mailServer.behaviour = { at, as: { code: 451, text: '4.7.1 Greylisted' } };
      expect(await send()).toEqual({
        status: 503,
        message:
          'The mail server refused the email for now: 451 4.7.1 Greylisted. Retry in 5 minutes.',
        retryAfter: '300',
      });
      mailServer.behaviour.as = 'accept';
      expect((await send()).status).toBe(200);
    },
  );

  it('sends control characters and long replies cannot break a response', async () => {
    const noise = `No\u001b[31m\u0007 ${'x'.repeat(400)}`;
    mailServer.behaviour = { at: 'recipient', as: { code: 554, text: noise } };
    const { status, message = '' } = await send();
    expect(status).toBe(409);
    expect(message).toMatch(/^The mail server refused the email: 554 [ -~]*x…$/);
    expect(message.length).toBeLessThan(350);
  });

  it.each(['recipient', 'end'] as const)(
    'closes the connection at the %s is an error',
    async (at) => {
      mailServer.behaviour = { at, as: 'hang-up' };
      expect(await send()).toEqual({ status: 503, message: UNREACHABLE, retryAfter: '120' });
      mailServer.behaviour.as = 'accept';
      expect((await send()).status).toBe(200);
    },
  );

  it('hangs holds up nobody else, and is given up after ten seconds', async () => {
    mailServer.behaviour = { at: 'recipient', as: 'silence' };
    const startedAt = performance.now();
    // More requests than the process sends at the same time, and than it has connections to the database.
    const bob = await galley.clientFor('bob');
    const sent = Promise.all(Array.from({ length: 12 }, () => send()));
    let readCount = 0;
    const isOver = sent.then(() => true);
    while (!(await Promise.race([isOver, Promise.resolve(false)]))) {
      const statuses = await Promise.all(
        [ada, bob].map(async (client) => (await client.get('/api/auth/me')).status),
      );
      expect(statuses).toEqual([200, 200]);
      readCount++;
    }
    const seconds = (performance.now() - startedAt) / 1_000;
    // A single read that waited for the mail server would take ten seconds.
    expect(readCount).toBeGreaterThan(20);
    expect(seconds).toBeGreaterThan(9.5);
    const responses = await sent;
    // One caller gets three of the five connections. Five more emails wait for five seconds, and four are refused.
    expect(responses.map(({ status }) => status).sort()).toEqual([
      ...Array<number>(9).fill(429),
      ...Array<number>(3).fill(503),
    ]);
    expect(responses.find(({ status }) => status === 503)).toEqual({
      status: 503,
      message:
        'The mail server did not respond in time, so the email may or may not arrive. Retry in two minutes.',
      retryAfter: '120',
    });
    expect(responses.filter(({ status }) => status === 429).every((each) => each.retryAfter)).toBe(
      true,
    );
    mailServer.behaviour.as = 'accept';
    expect((await send()).status).toBe(200);
  });
});

describe('with TLS and a login', () => {
  let folder: string;
  let authority: CertificateAuthority;
  let secured: MailServer;
  const programs: Program[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'galley-smtp-'));
    authority = await CertificateAuthority.create(folder, 'authority');
    secured = await MailServer.start({
      certificate: await authority.issue('localhost'),
      login: { user: 'galley', password: PASSWORD },
    });
  });
  afterAll(async () => {
    for (const program of programs) {
      program.killGroup();
      await program.exited;
    }
    await secured.stop();
    await rm(folder, { recursive: true });
  });

  /** Sends an email with an API that has this configuration, and returns the result and the log. */
  async function sendWith(smtpUrl: string, environment: Record<string, string> = {}) {
    const { program, url } = await startReadyProgram('api', {
      ...galley.environment,
      LOG_LEVEL: 'trace',
      NODE_EXTRA_CA_CERTS: authority.file,
      SMTP_URL: smtpUrl,
      ...environment,
    });
    programs.push(program);
    const result = await send(new Client(url, ada.token));
    program.signal('SIGTERM');
    expect(await program.exited).toEqual([0, null]);
    for (const secret of [PASSWORD, URL_PASSWORD, btoa(`\0galley\0${PASSWORD}`)]) {
      expect(`${program.output} ${result.message}`).not.toContain(secret);
    }
    return { ...result, output: program.output };
  }

  it('an email is sent over STARTTLS', async () => {
    const url = `smtp://galley:${URL_PASSWORD}@localhost:${secured.port}`;
    expect(await sendWith(url)).toMatchObject({ status: 200 });
    expect(secured.received).toMatchObject([{ isTls: true, user: 'galley' }]);
  });

  it('a wrong password is a problem of the operator, and no log line or response has it', async () => {
    const result = await sendWith(`smtp://galley:${URL_PASSWORD}x@localhost:${secured.port}`);
    expect(result).toMatchObject({ status: 503, message: LOGIN_REFUSED });
    expect(result.output).toMatch(/"stage":"send email","problem":"EAUTH AUTH \w+ 535"/);
  });

  it('a certificate of an unknown authority is refused before the login', async () => {
    const loginsBefore = secured.logins;
    const url = `smtp://galley:${URL_PASSWORD}@localhost:${secured.port}`;
    const result = await sendWith(url, { NODE_EXTRA_CA_CERTS: '' });
    expect(result).toMatchObject({ status: 503, message: NO_TLS });
    expect(secured.logins).toBe(loginsBefore);
  });

  it('the password is not sent to a server that offers no STARTTLS', async () => {
    const plain = await MailServer.start({ login: { user: 'galley', password: PASSWORD } });
    const url = `smtp://galley:${URL_PASSWORD}@localhost:${plain.port}`;
    expect(await sendWith(url)).toMatchObject({ status: 503, message: NO_TLS });
    expect(plain.logins).toBe(0);
    await plain.stop();
  });

  it('a server that does not listen is an error', async () => {
    const url = `smtps://localhost:${await probePort(0)}`;
    const result = await sendWith(url);
    expect(result).toMatchObject({ status: 503, message: UNREACHABLE, retryAfter: '120' });
    expect(result.output).toContain('"problem":"ESOCKET ECONNREFUSED CONN"');
  });
});
