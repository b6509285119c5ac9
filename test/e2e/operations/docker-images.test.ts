import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { cp, glob, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { validate } from 'dockerfile-utils';
import ts from 'typescript';
import { parse } from 'yaml';
import { variables } from '#config';
import { probePort } from '../../../apps/standalone/ports.js';
import { createDatabase } from '../../support/galley/database.js';
import { eventually } from '../../support/eventually.js';
import { canRunContainers, runContainer } from '../../support/processes/container.js';

const ROOT = join(import.meta.dirname, '../../..');
const TARGETS = ['api', 'worker', 'migrate'];
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

/** The files that the image copies: paths of the repository, and their targets in /app. */
const copiedPaths = (target: string) =>
  instructions(target, 'COPY').map((copy) => {
    const [source = '', destination = ''] = copy
      .split(' ')
      .filter((word) => !word.startsWith('--'));
    const path = source.replace(/^\/app\//, '');
    return { path, destination: destination.endsWith('/') ? join(destination, path) : destination };
  });

// The programs write no files, so that they need no temporary folder either.
const HOW = canRunContainers
  ? 'read-only and as another user than root'
  : 'but writable and not confined';
// The user `node` of the base image.
const USER = 1000;

/**
 * Creates a folder with the contents of the image's /app. Its node_modules is that of the checkout: a link, or an
 * empty folder over which it is mounted.
 */
async function createImageFolder(target: string): Promise<void> {
  for (const { path, destination } of copiedPaths(target)) {
    const copy = join(imagesFolder, target, destination);
    await mkdir(dirname(copy), { recursive: true });
    if (path === 'node_modules' && canRunContainers) await mkdir(copy);
    else if (path === 'node_modules') await symlink(join(ROOT, path), copy);
    else await cp(join(ROOT, path), copy, { recursive: true });
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
          '/app/node_modules': join(ROOT, 'node_modules'),
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
const database = await createDatabase();
const environment = {
  DATABASE_URL: database.url,
  REDIS_URL: process.env['REDIS_URL'] ?? '',
  QUEUE_PREFIX: `galley-test-${randomUUID()}`,
  SECRETS_KEY: randomBytes(32).toString('base64'),
  // Galley requests no keys here, because it fetches keys with the first token.
  AUTH_ISSUER: 'https://identity.example.com',
  AUTH_AUDIENCE: 'galley',
};

beforeAll(() => Promise.all(TARGETS.map(createImageFolder)));
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
  expect((await worker.output)[1]).toMatch(/DATABASE_URL is not set.*SECRETS_KEY is not set/s);
});

it('the images contain no import of a development dependency', async () => {
  const manifest = await readFile(join(ROOT, 'package.json'), 'utf8');
  const { dependencies } = JSON.parse(manifest) as { dependencies: Record<string, string> };
  const importedPackages = new Set<string>();
  for await (const file of glob('*/dist/**/*.js', { cwd: imagesFolder })) {
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

it('the Dockerfile has no finding', () => {
  expect(validate(dockerfile)).toEqual([]);
  expect(validate(dockerfile.replace('EXPOSE 3000', 'EXPOSES 3000'))).toHaveLength(1);
  // Every image runs as another user than root, and its base has a version.
  for (const target of TARGETS) expect(instructions(target, 'USER')).toEqual(['node']);
  expect(instructions('maintenance', 'USER')).toEqual(['postgres']);
  expect(dockerfile.match(/^FROM \S+:\S+/gm)).toEqual([
    'FROM node:24-bookworm-slim',
    'FROM postgres:18',
  ]);
});

it('the build context has every file that the Dockerfile copies', async () => {
  const ignoreFileLines = (await readFile(join(ROOT, '.dockerignore'), 'utf8')).split('\n');
  const paths = (dockerfile.match(/(?<=^COPY )(?!--).*(?= )/gm) ?? []).join(' ').split(' ');
  expect(paths).toContain('package-lock.json');
  expect(ignoreFileLines).toEqual(expect.arrayContaining(paths.map((path) => `!${path}`)));
});

interface Service {
  environment?: Record<string, string>;
  ports?: string[];
}

const compose = parse(await readFile(join(ROOT, 'docker/compose.yml'), 'utf8'), {
  merge: true,
}) as {
  services: Record<string, Service>;
  networks: { proxy: { ipam: { config: [{ subnet: string }] } } };
};
const {
  common,
  database: databaseVariables,
  queue,
  secrets,
  auth,
  documents,
  api,
  worker,
  tracing,
  webhooks,
  metrics,
} = variables;
const shared = {
  ...common,
  ...databaseVariables,
  ...queue,
  ...secrets,
  ...documents,
  ...webhooks,
  ...metrics,
  ...tracing,
};
const variablesByTarget: Record<string, Record<string, object>> = {
  api: { ...shared, ...auth, ...api },
  worker: { ...shared, ...worker },
  migrate: { ...common, ...databaseVariables },
};
// The image or compose.yml itself sets these variables.
const SET_ELSEWHERE = ['NODE_ENV', 'HOST', 'PORT', 'WORKER_PORT', 'DATABASE_URL', 'REDIS_URL'];

const PROXY_SUBNET = compose.networks.proxy.ipam.config[0].subnet;

it.each(TARGETS)('compose.yml passes every variable that the %s reads', async (target) => {
  const readme = await readFile(join(ROOT, 'docker/README.md'), 'utf8');
  const { environment: composeEnvironment = {} } = compose.services[target] ?? {};
  const passedVariables = Object.entries(composeEnvironment).filter(
    ([name]) => !SET_ELSEWHERE.includes(name),
  );
  const readVariables = Object.keys(variablesByTarget[target] ?? {}).filter(
    (name) => !SET_ELSEWHERE.includes(name),
  );
  expect(passedVariables.map(([name]) => name).sort()).toEqual(readVariables.sort());
  for (const [name, value] of passedVariables) {
    const isRequired = !('default' in (variablesByTarget[target]?.[name] ?? {}));
    // An unset variable is empty in compose, and Galley treats an empty variable as unset; a missing
    // required variable stops `up` with a message.
    if (isRequired || name === 'AUTH_ISSUER') expect(value).toMatch(`\${${name}:?Set ${name}`);
    else if (name === 'TRUSTED_PROXIES') expect(value).toBe(`\${${name}:-${PROXY_SUBNET}}`);
    // Prometheus scrapes this port.
    else if (name === 'METRICS_PORT') expect(value).toBe(`\${${name}:-9464}`);
    else if (name === 'METRICS_HOST') expect(value).toBe(`\${${name}:-0.0.0.0}`);
    else expect(value).toBe(`\${${name}:-}`);
    expect(readme).toContain(`\`${name}\``);
  }
});

it('compose.yml publishes ports only on this machine', async () => {
  const ports = Object.values(compose.services).flatMap((service) => service.ports ?? []);
  expect(ports).toContain('127.0.0.1:${PORT:-3000}:8080');
  for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
  expect(await readFile(join(ROOT, 'docker/README.md'), 'utf8')).toContain('http://127.0.0.1:3000');
});

const hasDockerCompose = spawnSync('docker', ['compose', 'version']).status === 0;

(hasDockerCompose ? it : it.skip)('compose.yml is valid', () => {
  const config = ['compose', '-f', join(ROOT, 'docker/compose.yml'), 'config', '--quiet'];
  const env = { ...process.env, ...environment, POSTGRES_PASSWORD: 'secret' };
  const { status, stderr } = spawnSync('docker', config, { env, encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});
