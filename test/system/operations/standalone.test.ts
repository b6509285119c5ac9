import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { probePort } from '../../../apps/standalone/ports.js';
import { Webhook } from 'standardwebhooks';
import { eventually } from '../../support/eventually.js';
import { Browser, type Page } from '../../support/identity/browser.js';
import { Program } from '../../support/processes/program.js';
import { startStandalone } from '../../support/processes/standalone.js';

let dataDir: string;
let port: number;
let galley: Program;
const programs: Program[] = [];

const start = (environment: Record<string, string>): Program => {
  const program = startStandalone(environment);
  programs.push(program);
  return program;
};
const galleyEnvironment = () => ({ DATA_DIR: dataDir, PORT: String(port) });
const url = (path: string) => `http://127.0.0.1:${port}${path}`;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'galley-standalone-'));
  port = await probePort(0);
  galley = start(galleyEnvironment());
  await galley.waitForOutput('Galley is ready.');
});
afterAll(async () => {
  for (const program of programs) program.killGroup();
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
});

async function createToken(email: string): Promise<string> {
  const command = new Program('npm', ['run', '-s', 'token', '--', email], galleyEnvironment());
  expect(await command.exited).toEqual([0, null]);
  return command.output.trim();
}

const fetchMe = (token: string): Promise<Response> =>
  fetch(url('/api/auth/me'), { headers: { authorization: `Bearer ${token}` } });

const getMe = async (token: string): Promise<unknown> => (await fetchMe(token)).json();

async function identityProviderUrl(): Promise<string> {
  const file = await readFile(join(dataDir, 'standalone.json'), 'utf8');
  return (JSON.parse(file) as { identityProvider: string }).identityProvider;
}

/** Signs a user in on the account page, in a new browser. */
async function openAccount(email: string): Promise<{ browser: Browser; page: Page }> {
  const origin = await identityProviderUrl();
  const browser = new Browser(origin);
  const page = await browser.submit(await browser.open(`${origin}/account`), { email });
  return { browser, page };
}

const RENAMED = 'ada.king@example.com';
const DELETED = 'brief@example.com';
const hasNewName = (text: string): boolean =>
  text.includes('"firstName":"Augusta","lastName":"Lovelace"');

describe('npm start', () => {
  it('is ready when it prints so', async () => {
    expect((await fetch(url('/health/ready'))).status).toBe(200);
  });

  it('prints the URL of the API reference and the command for a token', async () => {
    const [docsUrl = ''] = /http:\S+\/docs/.exec(galley.output) ?? [];
    expect([docsUrl, (await fetch(docsUrl)).status]).toEqual([url('/docs'), 200]);
    expect(galley.output).toMatch(/npm run -s token -- \S+@/);
  });

  it('runs the tutorial of the README when it is pasted', async () => {
    const readme = await readFile('README.md', 'utf8');
    const [, tutorial = ''] = /^## Tutorial[^\n]*\n([^]*?)^## /m.exec(readme) ?? [];
    const blocks = [...tutorial.matchAll(/^```bash\n([^]*?)^```$/gm)].map(
      ([, block = '']) => block,
    );
    expect(blocks).toHaveLength(7);

    const receiverPort = await probePort(0);
    // The tutorial runs `kill %1`, which needs job control. Only an interactive shell has job control
    // without -m.
    const shell = new Program('bash', ['-m'], {
      ...galleyEnvironment(),
      PORT: String(receiverPort),
    });
    programs.push(shell);
    const paste = async (block: string, step: number) => {
      const adaptedBlock = block
        .replaceAll('127.0.0.1:3000', `127.0.0.1:${port}`)
        .replaceAll('127.0.0.1:4000', `127.0.0.1:${receiverPort}`);
      shell.child.stdin.write(`${adaptedBlock}\necho "step $((${step})) done"\n`);
      await shell.waitForOutput(`step ${step} done`);
    };
    const [stopBlock = '', ...steps] = blocks.reverse();
    for (const [index, block] of steps.reverse().entries()) await paste(block, index + 1);
    await shell.waitForOutput('template.created');
    await shell.waitForOutput('template.updated', { times: 2 });
    expect(shell.output).toContain('"email":"ada@example.com","firstName":"Ada"');
    expect(shell.output).toContain('"version":2');
    // The receiver prints verified notifications, and a warning for all others.
    expect(shell.output).not.toContain('refused');
    expect(shell.output).not.toMatch(/error(?!":null)/i);
    await paste(stopBlock, 7);
    shell.child.stdin.end('exit 0\n');
    expect(await shell.exited).toEqual([0, null]);
  });

  it('prints the URL of the sample receiver, and offers it to the settings area', async () => {
    const [receiverUrl = ''] = /http:\S+\/sample-receiver/.exec(galley.output) ?? [];
    expect((await fetch(receiverUrl, { method: 'POST', body: '{}' })).status).toBe(200);
    const config = await (await fetch(url('/settings/config.json'))).json();
    expect(config).toMatchObject({ sampleReceiverUrl: receiverUrl });
  });

  it('prints the URL of the mail catcher, which shows a test email', async () => {
    const [catcherUrl = ''] = /http:\S+\/emails/.exec(galley.output) ?? [];
    const token = await createToken('grace@example.com');
    const post = async (path: string, body: object) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const init = { method: 'POST', headers, body: JSON.stringify(body) };
      return (await (await fetch(url(path), init)).json()) as { id: string };
    };
    const { id: workspaceId } = await post('/api/workspaces', { name: 'Kitchen' });
    const { id } = await post('/api/templates', { name: 'Caught', workspaceId });
    const sent = await post(`/api/templates/${id}/test-send`, { to: 'grace@example.com' });
    expect(sent).toMatchObject({ accepted: ['grace@example.com'] });
    expect(await (await fetch(catcherUrl)).text()).toContain('[Test] Caught');
    const config = await (await fetch(url('/settings/config.json'))).json();
    expect(config).toMatchObject({ hasTestEmails: true });
  });

  it('prints the URL of the account page', async () => {
    expect(galley.output).toContain(`${await identityProviderUrl()}/account`);
  });

  it('reports a changed name to the API', async () => {
    const token = await createToken(RENAMED);
    expect(await getMe(token)).toMatchObject({ user: { firstName: 'Ada', lastName: 'King' } });
    const { browser, page } = await openAccount(RENAMED);
    await browser.submit(page, { first_name: 'Augusta', last_name: 'Lovelace' });
    await eventually('the new name', async () => (await fetchMe(token)).text().then(hasNewName));
  });

  it('reports a deletion to the API, and admits a new user with the same email address', async () => {
    const token = await createToken(DELETED);
    const before = await getMe(token);
    const { browser, page } = await openAccount(DELETED);
    await browser.submit(await browser.open(new URL('/account/delete', page.url)));
    await eventually('the user to be refused', async () => (await fetchMe(token)).status === 401);

    const newToken = await createToken(DELETED);
    const after = await getMe(newToken);
    expect(after).toMatchObject({ user: { email: DELETED, firstName: 'Brief' } });
    expect(after).not.toEqual(before);
    const { status } = await fetch(url('/api/workspaces'), {
      method: 'POST',
      body: '{"name":"Kitchen"}',
      headers: { authorization: `Bearer ${newToken}`, 'content-type': 'application/json' },
    });
    expect(status).toBe(201);
  });

  it('accepts messages of its identity provider only with their signature', async () => {
    const secret = await readFile(join(dataDir, 'webhook-secret'), 'utf8');
    const data = { id: 'nobody@example.com', deleted: true, object: 'user' };
    const body = JSON.stringify({ type: 'user.deleted', object: 'event', timestamp: 1, data });
    const send = async (signingSecret: string) => {
      const now = new Date();
      const headers = {
        'content-type': 'application/json',
        'svix-id': 'msg_1',
        'svix-timestamp': String(Math.floor(now.getTime() / 1_000)),
        'svix-signature': new Webhook(signingSecret).sign('msg_1', now, body),
      };
      return (await fetch(url('/api/auth/webhook'), { method: 'POST', body, headers })).status;
    };
    expect(await send(`whsec_${Buffer.alloc(32).toString('base64')}`)).toBe(401);
    expect(await send(secret)).toBe(200);
  });

  it('says in one sentence that its port is in use', async () => {
    const otherDataDir = await mkdtemp(join(tmpdir(), 'galley-standalone-'));
    const secondGalley = start({ DATA_DIR: otherDataDir, PORT: String(port) });
    expect(await secondGalley.exited).toEqual([1, null]);
    expect(secondGalley.output).toContain(`Port ${port} is in use`);
    expect(secondGalley.output).not.toContain('    at ');
    await rm(otherDataDir, { recursive: true });
  });

  it('says in one sentence that its data is in use', async () => {
    const secondGalley = start({ DATA_DIR: dataDir, PORT: String(await probePort(0)) });
    expect(await secondGalley.exited).toEqual([1, null]);
    expect(secondGalley.output).toContain('already running');
  });

  it('runs beside another one', async () => {
    const otherDataDir = await mkdtemp(join(tmpdir(), 'galley-standalone-'));
    const secondGalley = start({ DATA_DIR: otherDataDir, PORT: String(await probePort(0)) });
    await secondGalley.waitForOutput('Galley is ready.');
    secondGalley.signal('SIGTERM');
    expect(await secondGalley.exited).toEqual([0, null]);
    await rm(otherDataDir, { recursive: true });
  });

  it('starts again after kill -9, with its data and its users', async () => {
    const token = await createToken('Grace.Hopper@example.com');
    const before = await getMe(token);
    expect(before).toMatchObject({
      user: { email: 'grace.hopper@example.com', lastName: 'Hopper' },
    });
    galley.killGroup();
    galley = start(galleyEnvironment());
    await galley.waitForOutput('Galley is ready.');
    expect(await getMe(token)).toEqual(before);
    expect(await getMe(await createToken('grace.hopper@example.com'))).toEqual(before);
  });

  it('has kept the changed name and the deletion', async () => {
    const me = await fetchMe(await createToken(RENAMED));
    expect(await me.text()).toContain('"firstName":"Augusta"');
    expect((await openAccount(RENAMED)).page.html).toContain('value="Lovelace"');
    const users = await readFile(join(dataDir, 'users.json'), 'utf8');
    expect(users).toContain(`"subject": "${DELETED}#2"`);
    expect((await fetchMe(await createToken(DELETED))).status).toBe(200);
  });

  it('keeps its users when its identity provider gets another port', async () => {
    const before = await getMe(await createToken('grace.hopper@example.com'));
    const identityProvider = await identityProviderUrl();
    galley.signal('SIGTERM');
    await galley.exited;
    const portBlocker = createServer().listen(Number(new URL(identityProvider).port), '127.0.0.1');
    await once(portBlocker, 'listening');
    galley = start(galleyEnvironment());
    await galley.waitForOutput('Galley is ready.');
    expect(await identityProviderUrl()).not.toBe(identityProvider);
    expect(await getMe(await createToken('grace.hopper@example.com'))).toEqual(before);
    portBlocker.close();
  });

  it('stops cleanly on Ctrl-C', async () => {
    galley.signal('SIGINT');
    expect(await galley.exited).toEqual([0, null]);
    expect(galley.output).toContain('Stopped.');
    await expect(fetch(url('/health/live'))).rejects.toThrow();
  });
});

describe('npm run token', () => {
  it('says that Galley is not running, and prints no token', async () => {
    const command = new Program(
      'npm',
      ['run', '-s', 'token', '--', 'ada@example.com'],
      galleyEnvironment(),
    );
    expect(await command.exited).toEqual([1, null]);
    expect(command.output).toMatch(/^No running Galley uses[^\n]*\n$/);
  });
});
