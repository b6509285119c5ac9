import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { loadMigrateConfig } from '#config';
import { examine } from '../../../apps/doctor/doctor.js';
import { toLibpqUrl } from '../../../apps/maintenance/postgres-tools.js';
import { eventually } from '../../support/eventually.js';
import { startGalley } from '../../support/galley/galley.js';
import { createResource } from '../../support/galley/resources.js';
import { CertificateAuthority } from '../../support/network/certificates.js';
import { CERTIFIED_ROLE, PostgresWithTls } from '../../support/network/postgres-with-tls.js';
import { Program } from '../../support/processes/program.js';
import { Receiver } from '../../support/webhooks/receiver.js';
import { subscribe } from '../../support/webhooks/subscriptions.js';

let postgres: PostgresWithTls;
let folder: string;
let stranger: CertificateAuthority;

beforeAll(async () => {
  postgres = await PostgresWithTls.start();
  folder = await mkdtemp(join(tmpdir(), 'galley-tls-'));
  stranger = await CertificateAuthority.create(folder, 'stranger');
  const { output, code } = await run('migrate/main.js', verified());
  expect([code, output]).toEqual([0, expect.stringContaining('Ran ')]);
});
afterAll(async () => {
  await postgres.stop();
  await rm(folder, { recursive: true });
});

const verified = () =>
  postgres.url({ sslmode: 'verify-full', sslrootcert: postgres.authority.file });

/** Installed where the tests run on the server of DATABASE_URL, and maybe elsewhere. */
function hasPgDump(): boolean {
  const { error } = spawnSync('pg_dump', ['--version']);
  if (error !== undefined && process.env['DATABASE_URL']) throw error;
  return error === undefined;
}

async function run(program: string, DATABASE_URL: string, args: string[] = []) {
  const started = new Program(process.execPath, [`dist/apps/${program}`, ...args], {
    DATABASE_URL,
    DATABASE_DIRECT_URL: '',
    SECRETS_KEYS: Buffer.alloc(32).toString('base64'),
    NODE_OPTIONS: '',
  });
  const [code] = await started.exited;
  return { code, output: started.output };
}

/** The doctor's finding about the database with this URL. */
async function diagnose(url: string): Promise<string> {
  const findings = await examine({ DATABASE_URL: url }, []);
  const own = findings.find(
    ({ subject, text }) =>
      subject === 'database' || (subject === 'configuration' && text.startsWith('DATABASE_URL')),
  );
  return `${own?.level} ${own?.subject}: ${own?.text}`;
}

const CONNECTED = /^ok database: PostgreSQL .* responds/;
const UNTRUSTED = 'self-signed certificate in certificate chain';

it('all programs connect with TLS', async () => {
  const url = verified();
  const galley = await startGalley({
    worker: true,
    environment: { DATABASE_URL: url, DATABASE_DIRECT_URL: url, REDIS_URL: '' },
  });
  const receiver = await Receiver.start();
  const ada = await galley.clientFor('ada');
  const { id: workspaceId } = await galley.createWorkspaceFor('ada');
  await subscribe(ada, workspaceId, receiver);
  await createResource(ada, '/api/templates', { name: 'Welcome', workspaceId });
  await eventually('the delivery', () => receiver.received.length === 1);
  const withoutTls = await postgres.query(
    `SELECT application_name FROM pg_stat_activity JOIN pg_stat_ssl USING (pid)
     WHERE application_name LIKE 'galley %' AND NOT ssl`,
  );
  expect(withoutTls).toEqual([]);
  await galley.stop();
  await receiver.stop();

  expect(await diagnose(url)).toMatch(CONNECTED);
  await run('maintenance/workspace.js', url, ['export', workspaceId, join(folder, 'workspace')]);
  await run('maintenance/backup.js', url, ['-']);
  expect(await postgres.connectedPrograms()).toEqual({
    'galley api': true,
    'galley worker': true,
    'galley queue': true,
    'galley listener': true,
    'galley migrate': true,
    'galley doctor': true,
    'galley maintenance': true,
    'galley backup': true,
  });
});

describe.each([
  ['verify-full', { own: CONNECTED, otherHost: /does not match certificate's altnames/ }],
  ['require', { own: CONNECTED, otherHost: /does not match certificate's altnames/ }],
  ['verify-ca', { own: CONNECTED, otherHost: CONNECTED }],
])('sslmode=%s', (sslmode, { own, otherHost }) => {
  const url = (sslrootcert: string, host?: string) =>
    postgres.url({ sslmode, sslrootcert }, host === undefined ? {} : { host });

  it('accepts a certificate of the authority', async () => {
    expect(await diagnose(url(postgres.authority.file))).toMatch(own);
  });

  it('refuses a certificate of another authority', async () => {
    expect(await diagnose(url(stranger.file))).toMatch(
      new RegExp(
        `^problem database: Cannot connect to PostgreSQL at localhost:\\d+: .*${UNTRUSTED}\\. Check sslrootcert and the host name in DATABASE_URL\\.$`,
      ),
    );
  });

  it('compares the host name, unless only the authority is to be checked', async () => {
    expect(await diagnose(url(postgres.authority.file, '127.0.0.1'))).toMatch(otherHost);
  });
});

it.each(['verify-full', 'require'])(
  'sslmode=%s trusts the authorities of Node.js without sslrootcert',
  async (sslmode) => {
    expect(await diagnose(postgres.url({ sslmode }))).toContain(UNTRUSTED);
    const trusting = new Program(process.execPath, ['dist/apps/migrate/main.js'], {
      DATABASE_URL: postgres.url({ sslmode }),
      DATABASE_DIRECT_URL: '',
      NODE_OPTIONS: '',
      NODE_EXTRA_CA_CERTS: postgres.authority.file,
    });
    expect(await trusting.exited).toEqual([0, null]);
    // No warning of the driver is among the lines.
    expect(trusting.output).toBe('Nothing to migrate.\n');
  },
);

it('sslmode=no-verify checks nothing', async () => {
  const url = postgres.url({ sslmode: 'no-verify' }, { host: '127.0.0.1' });
  expect(await diagnose(url)).toMatch(CONNECTED);
});

(hasPgDump() ? it : it.skip).each([
  [{ sslmode: 'verify-full' }, 'localhost'],
  [{ sslmode: 'verify-ca' }, '127.0.0.1'],
  [{ sslmode: 'no-verify' }, '127.0.0.1'],
])('pg_dump connects with the same URL, with %j', async ({ sslmode }, host) => {
  const application_name = `galley dump-${sslmode}`;
  const parameters = { sslmode, sslrootcert: postgres.authority.file, application_name };
  const { DATABASE_URL } = loadMigrateConfig({ DATABASE_URL: postgres.url(parameters, { host }) });
  // An older pg_dump refuses the server, but only after it has connected.
  spawnSync('pg_dump', [`--dbname=${toLibpqUrl(DATABASE_URL)}`]);
  expect(await postgres.connectedPrograms()).toHaveProperty(application_name, true);
});

it('a client certificate logs in', async () => {
  const { cert, key } = await postgres.authority.issue(CERTIFIED_ROLE);
  const files = { sslcert: join(folder, 'client.crt'), sslkey: join(folder, 'client.key') };
  await writeFile(files.sslcert, cert);
  await writeFile(files.sslkey, key, { mode: 0o600 });
  const parameters = { sslmode: 'verify-full', sslrootcert: postgres.authority.file };
  const user = { user: CERTIFIED_ROLE };
  expect(await diagnose(postgres.url({ ...parameters, ...files }, user))).toMatch(CONNECTED);
  expect(await diagnose(postgres.url(parameters, user))).toMatch(
    /^problem database: .*connection requires a valid client certificate/,
  );
});

it.each([
  [{ sslmode: 'prefer' }, 'DATABASE_URL must set sslmode to one of disable, no-verify, require'],
  [{ sslmode: 'verify-ca' }, 'DATABASE_URL must have sslrootcert, because sslmode is verify-ca'],
])('%j is a problem of the configuration', async (parameters, problem) => {
  expect(await diagnose(postgres.url(parameters))).toContain(`problem configuration: ${problem}`);
});

it('a file that is missing is named', async () => {
  const sslrootcert = join(folder, 'missing.pem');
  expect(await diagnose(postgres.url({ sslmode: 'verify-full', sslrootcert }))).toMatch(
    /^problem database: .*no such file or directory, open '.*missing\.pem'/,
  );
});

it('a program that starts logs why a certificate is refused', async () => {
  const program = new Program(process.execPath, ['dist/apps/api/main.js'], {
    DATABASE_URL: postgres.url({ sslmode: 'verify-full', sslrootcert: stranger.file }),
    DATABASE_DIRECT_URL: '',
    REDIS_URL: '',
    AUTH_ISSUER: 'http://127.0.0.1:1',
    AUTH_AUDIENCE: 'galley',
    SECRETS_KEYS: Buffer.alloc(32).toString('base64'),
    LOG_LEVEL: 'error',
    NODE_OPTIONS: '',
  });
  await program.waitForOutput('"stage":"connect"');
  program.killGroup();
  await program.exited;
  expect(program.output).toContain(UNTRUSTED);
});

it('a server without TLS is refused', async () => {
  await postgres.setTls('off');
  await eventually('the end of TLS', async () =>
    (await diagnose(verified())).includes('The server does not support SSL connections'),
  );
});
