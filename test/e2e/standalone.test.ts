import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { tryPort } from '../../apps/standalone/ports.js';
import { Program } from '../support/process.js';

let dataDir: string;
let port: number;
let galley: Program;
const programs: Program[] = [];

const start = (environment: Record<string, string>): Program => {
  // What the suite itself runs on must not leak into what it starts.
  const clean = { DATABASE_URL: '', REDIS_URL: '', NODE_OPTIONS: '', LOG_LEVEL: '' };
  const program = new Program('npm', ['start'], { ...clean, ...environment });
  programs.push(program);
  return program;
};
const environment = () => ({ DATA_DIR: dataDir, PORT: String(port) });
const url = (path: string) => `http://127.0.0.1:${port}${path}`;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'galley-standalone-'));
  port = await tryPort(0);
  galley = start(environment());
  await galley.prints('Galley is ready.');
});
afterAll(async () => {
  for (const program of programs) program.killGroup();
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
});

async function token(email: string): Promise<string> {
  const command = new Program('npm', ['run', '-s', 'token', '--', email], environment());
  expect(await command.exited).toEqual([0, null]);
  return command.output.trim();
}

async function me(bearer: string): Promise<unknown> {
  const response = await fetch(url('/api/auth/me'), {
    headers: { authorization: `Bearer ${bearer}` },
  });
  return response.json();
}

describe('npm start', () => {
  it('is ready when it says so', async () => {
    expect((await fetch(url('/health/ready'))).status).toBe(200);
  });

  it('names the reference of the API and the command that gets a token for it', async () => {
    const [reference = ''] = /http:\S+\/docs/.exec(galley.output) ?? [];
    expect([reference, (await fetch(reference)).status]).toEqual([url('/docs'), 200]);
    expect(galley.output).toMatch(/npm run -s token -- \S+@/);
  });

  it('runs the tutorial of the README as it is pasted', async () => {
    const readme = await readFile('README.md', 'utf8');
    const [, tutorial = ''] = /^## Tutorial[^\n]*\n([^]*?)^## /m.exec(readme) ?? [];
    const blocks = [...tutorial.matchAll(/^```bash\n([^]*?)^```$/gm)].map(
      ([, block = '']) => block,
    );
    expect(blocks).toHaveLength(7);

    const receiverPort = await tryPort(0);
    // -m: kill %1 needs job control, which an interactive shell has.
    const shell = new Program('bash', ['-m'], { ...environment(), PORT: String(receiverPort) });
    programs.push(shell);
    const paste = async (block: string, step: number) => {
      const moved = block
        .replaceAll('127.0.0.1:3000', `127.0.0.1:${port}`)
        .replaceAll('127.0.0.1:4000', `127.0.0.1:${receiverPort}`);
      shell.child.stdin.write(`${moved}\necho "step $((${step})) done"\n`);
      await shell.prints(`step ${step} done`);
    };
    const [stop = '', ...steps] = blocks.reverse();
    for (const [index, block] of steps.reverse().entries()) await paste(block, index + 1);
    await shell.prints('template.created');
    await shell.prints('template.updated', { times: 2 });
    expect(shell.output).toContain('"email":"ada@example.com","firstName":"Ada"');
    expect(shell.output).toContain('"version":2');
    // The receiver prints what it has verified, and in other words what it has not.
    expect(shell.output).not.toContain('refused');
    expect(shell.output).not.toMatch(/error(?!":null)/i);
    await paste(stop, 7);
    shell.child.stdin.end('exit 0\n');
    expect(await shell.exited).toEqual([0, null]);
  });

  it('says in one sentence that its port is in use', async () => {
    const other = await mkdtemp(join(tmpdir(), 'galley-standalone-'));
    const second = start({ DATA_DIR: other, PORT: String(port) });
    expect(await second.exited).toEqual([1, null]);
    expect(second.output).toContain(`Port ${port} is in use`);
    expect(second.output).not.toContain('    at ');
    await rm(other, { recursive: true });
  });

  it('says in one sentence that its data is in use', async () => {
    const second = start({ DATA_DIR: dataDir, PORT: String(await tryPort(0)) });
    expect(await second.exited).toEqual([1, null]);
    expect(second.output).toContain('already running');
  });

  it('runs beside another one', async () => {
    const other = await mkdtemp(join(tmpdir(), 'galley-standalone-'));
    const second = start({ DATA_DIR: other, PORT: String(await tryPort(0)) });
    await second.prints('Galley is ready.');
    second.signal('SIGTERM');
    expect(await second.exited).toEqual([0, null]);
    await rm(other, { recursive: true });
  });

  it('starts again after kill -9, with its data and its users', async () => {
    const bearer = await token('Grace.Hopper@example.com');
    const before = await me(bearer);
    expect(before).toMatchObject({
      user: { email: 'grace.hopper@example.com', lastName: 'Hopper' },
    });
    galley.killGroup();
    galley = start(environment());
    await galley.prints('Galley is ready.');
    expect(await me(bearer)).toEqual(before);
    expect(await me(await token('grace.hopper@example.com'))).toEqual(before);
  });

  it('keeps its users when its identity provider has to move', async () => {
    const before = await me(await token('grace.hopper@example.com'));
    const file = await readFile(join(dataDir, 'standalone.json'), 'utf8');
    const { identityProvider } = JSON.parse(file) as { identityProvider: string };
    galley.signal('SIGTERM');
    await galley.exited;
    const inTheWay = createServer().listen(Number(new URL(identityProvider).port), '127.0.0.1');
    await once(inTheWay, 'listening');
    galley = start(environment());
    await galley.prints('Galley is ready.');
    expect(await readFile(join(dataDir, 'standalone.json'), 'utf8')).not.toContain(
      identityProvider,
    );
    expect(await me(await token('grace.hopper@example.com'))).toEqual(before);
    inTheWay.close();
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
      environment(),
    );
    expect(await command.exited).toEqual([1, null]);
    expect(command.output).toMatch(/^Galley is not running[^\n]*\n$/);
  });
});
