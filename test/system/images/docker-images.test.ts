import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { cp, glob, mkdir, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { validate } from 'dockerfile-utils';
import ts from 'typescript';
import { probePort } from '../../../apps/standalone/ports.js';
import { createDatabase } from '../../support/galley/database.js';
import { eventually } from '../../support/eventually.js';
import { AUDIENCE, Issuer } from '../../support/identity/issuer.js';
import { Scrape } from '../../support/metrics/scrape.js';
import { Receiver } from '../../support/webhooks/receiver.js';
import { canRunContainers, runContainer } from '../../support/processes/container.js';

const ROOT = join(import.meta.dirname, '../../..');
const TARGETS = ['api', 'worker', 'migrate'];
const IMAGES = [...TARGETS, 'maintenance'];
const PORTS = { api: 'PORT', worker: 'WORKER_PORT' };

// The Dockerfile's stages by name. Each stage has its instructions, one per line, and begins with FROM.
const dockerfile = await readFile(join(ROOT, 'docker/Dockerfile'), 'utf8');
const stages = new Map(
  dockerfile
    .replaceAll(/^#.*\n|\\\n/gm, '')
    .split(/^(?=FROM )/m)
    .map((stage) => [/^FROM .* AS (.*)/.exec(stage)?.[1], stage.split('\n')]),
);

/** The arguments of an instruction in an image's stages, base stages first. */
function instructions(target: string | undefined, name: string): string[] {
  const lines = stages.get(target);
  if (!lines) return [];
  const ownLines = lines.filter((line) => line.startsWith(`${name} `));
  const parentStage = /^FROM (\S+)/.exec(lines[0] ?? '')?.[1];
  return [
    ...instructions(parentStage, name),
    ...ownLines.map((line) => line.slice(name.length + 1)),
  ];
}

/** The command in the JSON of an image's CMD or HEALTHCHECK. */
const commandOf = (target: string, name: string) =>
  JSON.parse(/\[.*/.exec(instructions(target, name).at(-1) ?? '')?.[0] ?? '[]') as string[];

/** The files that the image copies: paths of the repository or of the build's /images, and their targets in /app. */
const copiedPaths = (target: string) =>
  instructions(target, 'COPY').flatMap((copy) => {
    const words = copy.split(' ').filter((word) => !word.startsWith('--'));
    const destination = words.pop() ?? '';
    return words.map((word) => {
      const path = word.replace(/^\/app\//, '');
      const isFolder = !destination.endsWith('/') || path.startsWith('/images/');
      return { path, destination: isFolder ? destination : join(destination, basename(path)) };
    });
  });

// The programs write no files, so that they need no temporary folder either.
const HOW = canRunContainers
  ? 'read-only and as another user than root'
  : 'but writable and not confined';
// The user `node` of the base image.
const USER = 1000;

/** Creates a folder with the contents of the image's /app. */
async function createImageFolder(target: string): Promise<void> {
  for (const { path, destination } of copiedPaths(target)) {
    // The programs of the base image: these tests use those of this machine.
    if (path.startsWith('/usr/')) continue;
    const copy = join(imagesFolder, target, destination);
    await mkdir(dirname(copy), { recursive: true });
    const source = path.startsWith('/images/')
      ? join(prunedFolder, basename(path))
      : join(ROOT, path);
    await cp(source, copy, { recursive: true });
  }
}

/** Runs a command as a container of the image would, with nothing else in its environment. */
function run(target: string, [program, ...args]: string[], variables: Record<string, string>) {
  expect(program).toBe('node');
  const presetVariables = instructions(target, 'ENV').map((assignment) => assignment.split('='));
  const env = { ...(Object.fromEntries(presetVariables) as Record<string, string>), ...variables };
  const folder = join(imagesFolder, target);
  const child = canRunContainers
    ? runContainer({
        user: USER,
        workdir: '/app',
        mounts: {
          '/app': folder,
          '/node': process.execPath,
        },
        command: ['/node', ...args],
        environment: env,
      })
    : spawn(process.execPath, args, { cwd: folder, env });
  children.push(child);
  const { stdout, stderr } = child;
  if (!stdout || !stderr) throw new Error('The container has no output.');
  const output = Promise.all([text(stdout), text(stderr)]);
  return { child, output, exit: once(child, 'close') };
}

const children: ChildProcess[] = [];
const imagesFolder = await mkdtemp(join(tmpdir(), 'galley-images-'));
const prunedFolder = join(imagesFolder, 'pruned');
const database = await createDatabase();
const environment = {
  DATABASE_URL: database.url,
  REDIS_URL: process.env['REDIS_URL'] ?? '',
  QUEUE_PREFIX: `galley-test-${randomUUID()}`,
  SECRETS_KEYS: randomBytes(32).toString('base64'),
  // Galley requests no keys here, because it fetches keys with the first token.
  AUTH_ISSUER: 'https://identity.example.com',
  AUTH_AUDIENCE: 'galley',
};

beforeAll(async () => {
  execFileSync(process.execPath, ['docker/prune.ts', prunedFolder], { cwd: ROOT, stdio: 'pipe' });
  await Promise.all(IMAGES.map(createImageFolder));
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await rm(imagesFolder, { recursive: true, force: true });
  await database.drop();
});

it.each(Object.entries(PORTS))(
  `the %s image is ready and healthy until SIGTERM, ${HOW}`,
  async (target, variable) => {
    const port = String(await probePort(0));
    const checkHealth = () =>
      run(target, commandOf(target, 'HEALTHCHECK'), { [variable]: port }).exit;
    const server = run(target, commandOf(target, 'CMD'), { ...environment, [variable]: port });
    await eventually(`the ${target} to be ready`, async () => {
      if (server.child.exitCode !== null) throw new Error((await server.output).join('\n'));
      const ready = await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => undefined);
      return ready?.status === 200;
    });
    expect(await checkHealth()).toEqual([0, null]);
    server.child.kill('SIGTERM');
    expect(await server.exit).toEqual([0, null]);
    expect(await checkHealth()).toEqual([1, null]);
  },
);

it('the images store, render, deliver, measure and trace', async () => {
  const issuer = await Issuer.start();
  const receiver = await Receiver.start();
  const [PORT, WORKER_PORT, apiMetrics, workerMetrics] = await Promise.all(
    Array.from({ length: 4 }, async () => String(await probePort(0))),
  );
  const settings = {
    ...environment,
    NODE_ENV: 'test',
    AUTH_ISSUER: issuer.url,
    AUTH_AUDIENCE: AUDIENCE,
    WEBHOOK_ALLOWED_RANGES: '127.0.0.0/8',
    // Nobody listens here: the programs load the SDK and drop their spans.
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await probePort(0)}`,
    PORT: PORT ?? '',
    WORKER_PORT: WORKER_PORT ?? '',
  };
  const servers = [
    run('api', commandOf('api', 'CMD'), { ...settings, METRICS_PORT: apiMetrics ?? '' }),
    run('worker', commandOf('worker', 'CMD'), { ...settings, METRICS_PORT: workerMetrics ?? '' }),
  ];
  for (const port of [PORT, WORKER_PORT]) {
    await eventually(`port ${port} to be ready`, async () => {
      const ready = await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => undefined);
      return ready?.status === 200;
    });
  }
  const token = await issuer.token('ada');
  const post = async (path: string, body: object) => {
    const response = await fetch(`http://127.0.0.1:${PORT}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    expect([path, response.ok, text]).toEqual([path, true, text]);
    return JSON.parse(text) as { id: string; html?: string };
  };
  const { id: workspaceId } = await post('/api/workspaces', { name: 'Images' });
  await post('/api/webhooks', { workspaceId, url: receiver.url, events: ['template.created'] });
  const { content } = JSON.parse(
    await readFile(join(ROOT, 'apps/settings/samples/welcome.json'), 'utf8'),
  ) as { content: object };
  const { id } = await post('/api/templates', { name: 'Welcome', workspaceId, content });
  expect(await post(`/api/templates/${id}/render`, {})).toMatchObject({
    html: expect.stringContaining('<table'),
  });
  await post(`/api/templates/${id}/check`, {});
  const html = '<style>p { color: red }</style><p>Hello</p>';
  await post('/api/imports', { format: 'html', content: html });
  await eventually('the delivery', () => receiver.received.length === 1);
  for (const port of [apiMetrics, workerMetrics]) {
    expect((await Scrape.of(Number(port))).value('galley_ready')).toBe(1);
  }
  const documentation = await fetch(`http://127.0.0.1:${PORT}/docs`);
  expect(documentation.status).toBe(200);
  for (const { child, exit } of servers) {
    child.kill('SIGTERM');
    expect(await exit).toEqual([0, null]);
  }
  await receiver.stop();
  await issuer.stop();
});

it(`the migrate image runs and exits, ${HOW}`, async () => {
  const migrate = run('migrate', commandOf('migrate', 'CMD'), environment);
  expect(await migrate.exit).toEqual([0, null]);
  expect(await migrate.output).toContain('Nothing to migrate.\n');
});

(canRunContainers ? it : it.skip)('a program that runs so can write to no folder', async () => {
  const script = `
    const { writeFileSync } = require('node:fs');
    for (const folder of ['/', '/app', '/app/node_modules', '/tmp', '/etc', '/usr', '/dev']) {
      try { writeFileSync(folder + '/galley', ''); console.log(folder); } catch {}
    }
    console.log(process.getuid());`;
  const program = run('worker', ['node', '-e', script], {});
  expect(await program.exit).toEqual([0, null]);
  const isRoot = process.getuid?.() === 0;
  // An unprivileged user is called root inside its own namespace only.
  expect(await program.output).toEqual([`${isRoot ? USER : 0}\n`, '']);
});

it('an image without configuration lists everything that is missing', async () => {
  const worker = run('worker', commandOf('worker', 'CMD'), {});
  expect(await worker.exit).toEqual([1, null]);
  expect((await worker.output)[1]).toMatch(/DATABASE_URL is not set.*SECRETS_KEYS is not set/s);
});

it('the images contain no import of a development dependency', async () => {
  const manifest = await readFile(join(ROOT, 'package.json'), 'utf8');
  const { dependencies } = JSON.parse(manifest) as { dependencies: Record<string, string> };
  const importedPackages = new Set<string>();
  for await (const file of glob('{api,worker,migrate,maintenance}/dist/**/*.js', {
    cwd: imagesFolder,
  })) {
    // Containers do not run these files: browsers run the assets, and the script has built the assets
    // before.
    if (/\/assets\/|\/build-assets\.js$/.test(file)) continue;
    const program = await readFile(join(imagesFolder, file), 'utf8');
    for (const { fileName } of ts.preProcessFile(program, true, true).importedFiles) {
      if (/^[.#]/.test(fileName) || isBuiltin(fileName)) continue;
      importedPackages.add(/^(@[^/]+\/)?[^/]+/.exec(fileName)?.[0] ?? fileName);
    }
  }
  expect(importedPackages).toContain('@nestjs/core');
  expect([...importedPackages].filter((name) => !(name in dependencies))).toEqual([]);
});

it('the images have what their programs import, with licences and an SBOM, and no more', async () => {
  const sizeOf = async (image: string) => {
    let bytes = 0;
    for await (const file of glob(`${image}/node_modules/**`, { cwd: imagesFolder })) {
      const stats = await stat(join(imagesFolder, file));
      if (stats.isFile()) bytes += stats.size;
    }
    return bytes / 1_000_000;
  };
  const maximum = { api: 58, worker: 56, migrate: 20, maintenance: 20 };
  for (const [image, megabytes] of Object.entries(maximum)) {
    expect(await sizeOf(image)).toBeLessThan(megabytes);
    const sbom = await readFile(join(imagesFolder, image, 'sbom.cdx.json'), 'utf8');
    expect(sbom).toContain('pkg:npm/pg@');
    expect(sbom).not.toMatch(/pkg:npm\/(typescript|vite)@/);
    await stat(join(imagesFolder, image, 'node_modules/pg/LICENSE'));
  }
});

it.each([
  ['api', 'apps/doctor/main'],
  ...['admin', 'backup', 'restore', 'erase-user', 'workspace'].map((name) => [
    'maintenance',
    `apps/maintenance/${name}`,
  ]),
])('the %s image runs %s', async (image, program) => {
  const { exit, output } = run(image, ['node', `dist/${program}.js`], environment);
  const [code] = (await exit) as [number];
  const text = (await output).join('');
  // Without arguments, a maintenance program explains itself; doctor finds no identity provider.
  expect([code, text]).toEqual([
    program.endsWith('admin') ? 0 : 1,
    expect.not.stringMatching(/Cannot find|ERR_MODULE/),
  ]);
  expect(text).toMatch(/Usage|node dist|npm run|identity/i);
});

it('the Dockerfile has no finding', () => {
  expect(validate(dockerfile)).toEqual([]);
  expect(validate(dockerfile.replace('EXPOSE 3000', 'EXPOSES 3000'))).toHaveLength(1);
  // Every image runs as another user than root, and its base has a version.
  for (const target of TARGETS) expect(instructions(target, 'USER')).toEqual(['node']);
  expect(instructions('maintenance', 'USER')).toEqual(['postgres']);
  // A release adds the digests.
  expect(dockerfile.match(/^ARG \w+_IMAGE=.*/gm)).toEqual([
    expect.stringMatching(/^ARG NODE_IMAGE=node:24-bookworm-slim(@sha256:[0-9a-f]{64})?$/),
    expect.stringMatching(/^ARG POSTGRES_IMAGE=postgres:18(@sha256:[0-9a-f]{64})?$/),
  ]);
  for (const target of IMAGES) {
    // As the first process, Node would ignore a signal that comes before it has loaded its first module.
    expect(instructions(target, 'ENTRYPOINT')).toEqual(['["tini", "-s", "--"]']);
    const labels = instructions(target, 'LABEL').join(' ');
    for (const label of ['title', 'licenses', 'version', 'revision', 'created']) {
      expect(labels).toContain(`org.opencontainers.image.${label}=`);
    }
  }
});

it('the build context has every file that the Dockerfile copies', async () => {
  const ignoreFileLines = (await readFile(join(ROOT, '.dockerignore'), 'utf8')).split('\n');
  const paths = (dockerfile.match(/(?<=^COPY )(?!--).*(?= )/gm) ?? []).join(' ').split(' ');
  expect(paths).toContain('package-lock.json');
  expect(ignoreFileLines).toEqual(expect.arrayContaining(paths.map((path) => `!${path}`)));
});
