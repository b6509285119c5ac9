import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { migrateQueue } from '#queue';
import { probePort } from '../../../apps/standalone/ports.js';
import { createDatabase } from '../../support/galley/database.js';
import { Program } from '../../support/processes/program.js';
import { PlantedGalley, withCredentials } from '../../support/secrets/planted-galley.js';
import { PlantedSecrets } from '../../support/secrets/planted-secrets.js';

let planted: PlantedGalley;
let folder: string;
/** Variables with passwords that lead nowhere. */
let unreachable: Record<string, string>;

beforeAll(async () => {
  planted = await PlantedGalley.start();
  folder = await mkdtemp(join(tmpdir(), 'galley-secrets-'));
  const closed = `127.0.0.1:${await probePort(0)}`;
  const password = planted.secrets.plant('unused password');
  const databaseUrl = withCredentials(`postgres://${closed}/galley`, 'galley', password);
  unreachable = {
    DATABASE_URL: databaseUrl,
    DATABASE_DIRECT_URL: databaseUrl,
    REDIS_URL: withCredentials(`redis://${closed}`, 'galley', password),
    WEBHOOK_PROXY_URL: withCredentials(`http://${closed}`, 'galley', password),
    AUTH_ISSUER: `http://${closed}`,
  };
});
afterAll(async () => {
  await planted.close();
  await rm(folder, { recursive: true });
});

async function runToEnd(name: string, variables: object = {}, args: string[] = []) {
  const program = planted.run(name, variables, args);
  const [code] = await program.exited;
  return { code, output: program.output };
}

const PROGRAMS = ['api/main', 'worker/main', 'migrate/main'];

it('programs refuse invalid variables without their values', async () => {
  const value = planted.secrets.plant('invalid variable');
  const variables = {
    DATABASE_URL: `mysql://galley:${value}@127.0.0.1/galley`,
    DATABASE_DIRECT_URL: `mysql://galley:${value}@127.0.0.1/galley`,
    REDIS_URL: `http://galley:${value}@127.0.0.1`,
    SECRETS_KEYS: `${value},${value}`,
    AUTH_ISSUER: `https://galley:${value}@example.com`,
    AUTH_WEBHOOK_SECRET: value,
    WEBHOOK_PROXY_URL: `socks5://galley:${value}@127.0.0.1`,
    OTEL_EXPORTER_OTLP_ENDPOINT: value,
    OTEL_EXPORTER_OTLP_HEADERS: value,
    PORT: value,
    LOG_LEVEL: value,
  };
  for (const name of [...PROGRAMS, 'doctor/main']) {
    const { code, output } = await runToEnd(name, variables);
    expect([name, code, output]).toEqual([name, 1, expect.stringContaining('DATABASE_URL must')]);
  }
  expect(planted.search()).toEqual([]);
});

it('programs that find no database write no password', async () => {
  const unknownDatabase = `${planted.environment['DATABASE_URL']}_unknown`;
  const unknown = { DATABASE_URL: unknownDatabase, DATABASE_DIRECT_URL: unknownDatabase };
  const fail = async (name: string) => {
    const program = planted.run(name, unreachable);
    await program.waitForOutput('"stage":"connect"', { times: 2 });
    program.killGroup();
    await program.exited;
  };
  await Promise.all(PROGRAMS.map(fail));
  const refused = await runToEnd('migrate/main', { ...unreachable, ...unknown });
  expect(refused).toEqual({ code: 1, output: expect.stringContaining('does not exist') });
  expect(planted.search()).toEqual([]);
});

it('programs with a wrong key write no key, and no secret that they cannot decrypt', async () => {
  const api = await planted.serve('api');
  planted.apiUrl = api.url;
  const { body: workspace } = await planted.call('POST', '/api/workspaces', {
    body: { name: 'Kitchen' },
  });
  const webhook = {
    workspaceId: workspace.id,
    url: `http://127.0.0.1:${await probePort(0)}/`,
    events: ['module.*'],
    headers: { authorization: planted.secrets.plant('header of a webhook') },
  };
  const created = await planted.call<{ id: string; secret: string }>('POST', '/api/webhooks', {
    body: webhook,
  });
  planted.secrets.plantKey('signing secret', created.body.secret.slice('whsec_'.length));
  await planted.call('POST', '/api/modules', {
    body: { workspaceId: workspace.id, name: 'Footer', content: {} },
  });
  await planted.stop(api);
  const wrongKey = {
    SECRETS_KEYS: [1, 2].map(() => planted.secrets.plantKey('wrong key')).join(','),
  };
  const wrongApi = await planted.serve('api', wrongKey, false);
  const { url } = wrongApi;
  const secretPath = `/api/webhooks/${created.body.id}/secret`;
  expect(await planted.call('GET', secretPath, { url })).toMatchObject({ status: 503 });
  await planted.stop(wrongApi);
  const wrongWorker = await planted.serve('worker', wrongKey, false);
  await wrongWorker.program.waitForOutput('SECRETS_KEYS lacks the key');
  await planted.stop(wrongWorker);
  await planted.addStores();
  expect(planted.search()).toEqual(['response to POST /api/webhooks: signing secret']);
});

it('a migration that fails writes no value that PostgreSQL quotes', async () => {
  const value = planted.secrets.plant('value that PostgreSQL quotes');
  const database = await createDatabase('template0');
  await migrateQueue(database.url);
  await database.query(
    `CREATE FUNCTION refuse() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN
       RAISE EXCEPTION USING ERRCODE = '23505', MESSAGE = 'duplicate key', HINT = '${value}',
         DETAIL = 'Key (name)=(${value}) already exists.';
     END $$`,
  );
  await database.query(
    `CREATE EVENT TRIGGER refuse ON ddl_command_start WHEN TAG IN ('CREATE INDEX')
     EXECUTE FUNCTION refuse()`,
  );
  const { DATABASE_URL = '' } = planted.environment;
  const url = Object.assign(new URL(DATABASE_URL), { pathname: new URL(database.url).pathname });
  const urls = { DATABASE_URL: url.href, DATABASE_DIRECT_URL: url.href };
  const { code, output } = await runToEnd('migrate/main', urls);
  await database.drop();
  expect([code, output]).toEqual([1, expect.stringContaining('duplicate key')]);
  expect(planted.search()).toEqual([]);
});

it('the doctor and the maintenance programs write no secret', async () => {
  const { secrets } = planted;
  const file = (name: string) => join(folder, name);
  const [workspace] = await planted.galley.database.query<{ id: string }>(
    'SELECT id FROM workspaces',
  );
  const id = workspace?.id ?? '';
  const url = `https://ada:${secrets.plant('password in a URL')}@10.0.0.1/`;
  expect((await runToEnd('doctor/main', {}, [url])).output).toContain('PostgreSQL');
  expect((await runToEnd('doctor/main', unreachable)).output).toContain('problem');
  const exported = ['export', id, file('workspace.ndjson')];
  expect(await runToEnd('maintenance/workspace', {}, exported)).toMatchObject({ code: 0 });
  secrets.addText('export', await readFile(file('workspace.ndjson'), 'utf8'));
  const programs: [name: string, args: string[]][] = [
    ['backup', [file('galley.backup')]],
    ['restore', [file('missing.backup')]],
    ['workspace', exported],
    ['erase-user', ['nobody@example.com']],
  ];
  // Some of them try for half a minute to reach PostgreSQL.
  const failed = await Promise.all(
    programs.map(([name, args]) => runToEnd(`maintenance/${name}`, unreachable, args)),
  );
  expect(failed.map(({ code }) => code)).toEqual([1, 1, 1, 1]);
  for (const [name, args] of programs) await runToEnd(`maintenance/${name}`, {}, args);
  expect(planted.search()).toEqual([]);
});

/** The values that a token, a key or a password of an installation has in its data directory. */
async function plantInstallation(dataDir: string): Promise<PlantedSecrets> {
  const secrets = new PlantedSecrets();
  const read = (name: string) => readFile(join(dataDir, name), 'utf8');
  secrets.plantKey('key', await read('secrets-key'));
  secrets.plantKey('secret of the provider', (await read('webhook-secret')).slice(6));
  secrets.plant('password of PostgreSQL', await read('postgres/password'));
  const privateKey = /"d": ?"([\w-]+)"/.exec(await read('signing-keys.json'))?.[1];
  secrets.plantKey('signing key', privateKey);
  return secrets;
}

it('npm start prints none of the secrets that it makes', async () => {
  const dataDir = join(folder, 'data');
  const port = String(await probePort(0));
  const start = (name: string, ...args: string[]) =>
    new Program(process.execPath, [`dist/apps/standalone/${name}.js`, ...args], {
      DATA_DIR: dataDir,
      PORT: port,
      LOG_LEVEL: 'trace',
      DATABASE_URL: '',
      REDIS_URL: '',
      NODE_OPTIONS: '',
    });
  const galley = start('main');
  await galley.waitForOutput('Galley is ready.');
  const secrets = await plantInstallation(dataDir);
  const printToken = start('token', 'ada@example.com');
  await printToken.exited;
  const token = secrets.plantToken('token', printToken.output.trim());
  const { status } = await fetch(`http://127.0.0.1:${port}/api/auth/me`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(status).toBe(200);
  galley.signal('SIGTERM');
  expect(await galley.exited).toEqual([0, null]);
  secrets.addText('npm start', galley.output);
  expect(secrets.search()).toEqual([]);
});
