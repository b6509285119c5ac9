import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { variables } from '#config';

const ROOT = join(import.meta.dirname, '../../..');
const TARGETS = ['api', 'worker', 'migrate'];

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
  assetStorage,
  assets,
  api,
  mail,
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
  ...assetStorage,
  ...webhooks,
  ...metrics,
  ...tracing,
};
const variablesByTarget: Record<string, Record<string, object>> = {
  api: { ...shared, ...auth, ...api, ...assets, ...mail },
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

it('compose.yml limits the memory of every service', () => {
  for (const [name, service] of Object.entries(compose.services)) {
    expect([name, service]).toEqual([
      name,
      expect.objectContaining({ mem_limit: expect.any(String) }),
    ]);
  }
});

const hasDockerCompose = spawnSync('docker', ['compose', 'version']).status === 0;

(hasDockerCompose ? it : it.skip)('compose.yml is valid', () => {
  const config = ['compose', '-f', join(ROOT, 'docker/compose.yml'), 'config', '--quiet'];
  const env = {
    ...process.env,
    SECRETS_KEYS: 'secret',
    POSTGRES_PASSWORD: 'secret',
    AUTH_ISSUER: 'https://identity.example.com',
    AUTH_AUDIENCE: 'galley',
  };
  const { status, stderr } = spawnSync('docker', config, { env, encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});
