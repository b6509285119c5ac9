import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { ConfigError, loadApiConfig, loadWorkerConfig } from '../config.js';
import * as variables from '../variables.js';
import { isSecret } from './secret.js';

const KEY = Buffer.alloc(32, 7);
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'galley-secrets-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function fileWith(text: string): Promise<string> {
  const path = join(folder, 'secret');
  await writeFile(path, text);
  return path;
}

const DATABASE_URL = 'postgres://galley@127.0.0.1/galley';

const problemOf = (env: Record<string, string>): string => {
  try {
    loadWorkerConfig({ DATABASE_URL, ...env });
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
  }
  throw new Error('the configuration was accepted');
};

it.each(['', '\n', '\r\n'])('a secret is read from a file that ends with %j', async (end) => {
  const path = await fileWith(KEY.toString('base64') + end);
  expect(loadWorkerConfig({ DATABASE_URL, SECRETS_KEYS_FILE: path }).SECRETS_KEYS).toEqual([KEY]);
});

it('a secret from a file can make another variable required', async () => {
  const AUTH_WEBHOOK_SECRET_FILE = await fileWith(`whsec_${'A'.repeat(32)}`);
  const env = {
    DATABASE_URL,
    SECRETS_KEYS: KEY.toString('base64'),
    AUTH_JWKS_URI: 'https://id.example.com/keys',
    AUTH_AUDIENCE: 'galley',
    AUTH_WEBHOOK_SECRET_FILE,
  };
  expect(() => loadApiConfig(env)).toThrow(/AUTH_ISSUER is not set/);
});

it('it is an error to set both a variable and its file', async () => {
  const path = await fileWith(KEY.toString('base64'));
  const message = problemOf({ SECRETS_KEYS: KEY.toString('base64'), SECRETS_KEYS_FILE: path });
  expect(message).toContain('SECRETS_KEYS and SECRETS_KEYS_FILE are both set: unset one of them');
  expect(message).not.toContain(KEY.toString('base64'));
});

it('each unusable file is reported by one error, without its content', async () => {
  const missing = join(folder, 'missing');
  expect(problemOf({ SECRETS_KEYS_FILE: missing }).split('\n')).toEqual([
    'The configuration has problems:',
    `  SECRETS_KEYS_FILE names a file that cannot be read (ENOENT): ${missing}`,
  ]);
  expect(problemOf({ SECRETS_KEYS_FILE: folder })).toContain('cannot be read (EISDIR)');
  const path = await fileWith('\n');
  expect(problemOf({ SECRETS_KEYS_FILE: path })).toContain(`names an empty file: ${path}`);
  await fileWith('hunter2');
  const message = problemOf({ SECRETS_KEYS_FILE: path });
  expect(message).toContain('SECRETS_KEYS must be');
  expect(message).not.toContain('hunter2');
});

const all = Object.values(variables).flatMap((group) => Object.entries<object>(group));
const secrets = all.filter(([, spec]) => isSecret(spec)).map(([name]) => name);

// Variables that sound like secrets, but contain no password or token.
const HARMLESS = [
  'PUBLIC_URL',
  'ASSETS_URL',
  'AUTH_JWKS_URI',
  'AUTH_CLIENT_TOKEN',
  'SAMPLE_RECEIVER_URL',
  'QUEUE_PREFIX',
];

it('variables that sound like secrets are secrets, and the chart takes them from Secrets', async () => {
  const sounding = all
    .map(([name]) => name)
    .filter((name) => /KEYS?(_|$)|SECRET|PASSWORD|TOKEN|HEADERS|_UR[LI]$/.test(name));
  expect(sounding.filter((name) => !HARMLESS.includes(name) && !secrets.includes(name))).toEqual(
    [],
  );
  const values = parse(await readFile('docker/helm/galley/values.yaml', 'utf8')) as {
    secrets: object;
  };
  expect(Object.keys(values.secrets).sort()).toEqual([...secrets].sort());
});
