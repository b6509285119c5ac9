import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { computeKeyId } from '#encryption';
import { checkClock } from '../../../apps/doctor/checks/clock.js';
import { examine } from '../../../apps/doctor/doctor.js';
import { probePort } from '../../../apps/standalone/ports.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';
import { createResource } from '../../support/galley/resources.js';
import { MailServer } from '../../support/network/mail-server.js';
import { Program } from '../../support/processes/program.js';
import { MARK } from '../../support/requests/secret-requests.js';

let galley: Galley;
let closedPort: number;

beforeAll(async () => {
  galley = await startGalley();
  closedPort = await probePort(0);
  const ada = await galley.clientFor('ada');
  const { id: workspaceId } = await galley.createWorkspaceFor('ada');
  const url = `http://127.0.0.1:${closedPort}/`;
  await createResource(ada, '/api/webhooks', { workspaceId, url, events: ['template.created'] });
});
afterAll(() => galley.stop());

/** The lines of the doctor's output, as `level subject: text`. */
async function diagnose(changes: Record<string, string> = {}, urls: string[] = []) {
  // The doctor looks at PostgreSQL itself, and the tests change this URL.
  const direct = { DATABASE_URL: galley.database.url, DATABASE_DIRECT_URL: '' };
  const environment = { ...galley.environment, ...direct, ...changes };
  const findings = await examine(environment, urls);
  const lines = findings.map(({ level, subject, text }) => `${level} ${subject}: ${text}`);
  for (const line of lines) expect(line).not.toContain(MARK);
  return lines;
}

const problemsIn = (lines: string[]) => lines.filter((line) => line.startsWith('problem'));

it('ends with 0 if all is well, and with 1 after a problem', async () => {
  const environment = { ...galley.environment, NODE_OPTIONS: '', NODE_ENV: 'production' };
  const healthy = new Program(process.execPath, ['dist/apps/doctor/main.js'], environment);
  const [code] = await healthy.exited;
  expect([code, healthy.output]).toEqual([
    0,
    expect.stringMatching(/^ok {7}database .* responds\.$/m),
  ]);
  expect(healthy.output).not.toMatch(/^(problem|skipped)/m);
  const args = ['dist/apps/doctor/main.js', 'https://10.0.0.1/'];
  const refused = new Program(process.execPath, args, environment);
  expect((await refused.exited)[0]).toBe(1);
  expect(refused.output).toMatch(/^problem {2}webhook 10\.0\.0\.1 .*not public \(private\)/m);
});

it('names all variables with a problem, and goes on with the others', async () => {
  const lines = await diagnose({
    SECRETS_KEYS: MARK,
    PORT: MARK,
    AUTH_AUDIENCE: '',
    WEBHOOK_PORTS: MARK,
  });
  expect(problemsIn(lines)).toEqual([
    expect.stringMatching(/configuration: SECRETS_KEYS must be keys of 32 random bytes/),
    expect.stringMatching(/configuration: AUTH_AUDIENCE is not set/),
    expect.stringMatching(/configuration: PORT must be a whole number from 1 to 65535/),
  ]);
  expect(lines).toContainEqual(expect.stringMatching(/^warning .*no variable WEBHOOK_PORTS/));
  expect(lines).toContainEqual(expect.stringMatching(/^ok database/));
});

it('says that PostgreSQL, Redis, the issuer and the proxy cannot be reached, all in one run', async () => {
  const host = `127.0.0.1:${closedPort}`;
  const lines = await diagnose({
    DATABASE_URL: `postgres://galley:${MARK}@${host}/galley`,
    REDIS_URL: `redis://:${MARK}@${host}`,
    AUTH_ISSUER: `http://${host}`,
    WEBHOOK_PROXY_URL: `http://ada:${MARK}@${host}`,
  });
  expect(problemsIn(lines)).toEqual([
    expect.stringMatching(`database: Cannot connect to PostgreSQL at ${host}: .*REFUSED`),
    expect.stringMatching(`queue: Cannot connect to Redis at ${host}: .*REFUSED`),
    expect.stringMatching(/issuer: The signing keys cannot be fetched \(.*REFUSED/),
    expect.stringMatching(/proxy: The proxy of WEBHOOK_PROXY_URL cannot be reached/),
  ]);
  expect(lines).toContainEqual(expect.stringMatching(/^skipped database: .*migrations/));
});

it('finds migrations that are missing or from a newer release', async () => {
  const { database } = galley;
  const [last] = await database.query<{ name: string }>(
    `UPDATE migrations SET name = 'Future2763683200000'
     WHERE id = (SELECT max(id) FROM migrations)
     RETURNING (SELECT name FROM migrations ORDER BY id DESC LIMIT 1) AS name`,
  );
  const lines = await diagnose();
  await database.query(`UPDATE migrations SET name = $1 WHERE name = 'Future2763683200000'`, [
    last?.name,
  ]);
  expect(problemsIn(lines)).toEqual([
    `problem migrations: 1 migration must still run (${last?.name}): run \`npm run migrate\`.`,
  ]);
  expect(lines).toContainEqual(
    expect.stringMatching(/^warning migrations: A newer release .*\(Future2763683200000\)/),
  );
});

it('says of a database with an earlier schema that it cannot be migrated', async () => {
  const { database } = galley;
  await database.query(
    `INSERT INTO migrations (timestamp, name) VALUES (1763683200000, 'Identity1763683200000')`,
  );
  const lines = await diagnose();
  await database.query(`DELETE FROM migrations WHERE name = 'Identity1763683200000'`);
  expect(problemsIn(lines)).toEqual([
    expect.stringMatching(/^problem migrations: The database has the schema of Galley 0\.1\.0/),
  ]);
});

it('finds missing privileges, and too few connections', async () => {
  const { database } = galley;
  const role = `doctor_${randomBytes(4).toString('hex')}`;
  await database.query(
    `CREATE ROLE ${role} LOGIN PASSWORD '${MARK}' CONNECTION LIMIT 6 IN ROLE pg_read_all_data`,
  );
  const url = Object.assign(new URL(database.url), { username: role, password: MARK });
  const lines = await diagnose({ DATABASE_URL: url.href });
  await database.query(`DROP ROLE ${role}`);
  expect(problemsIn(lines)).toEqual([
    expect.stringMatching(`privileges: ${role} lacks privileges on .* and \\d+ more`),
    expect.stringMatching(`privileges: ${role} does not own events`),
    expect.stringMatching(/connections: .*accepts 6.*not enough for one API and one worker/),
  ]);
  expect(lines).toContainEqual(expect.stringMatching(/^warning privileges: .* may not create/));
});

it('finds a database with another encoding, and a queue without its tables', async () => {
  const name = `doctor_${randomBytes(4).toString('hex')}`;
  await galley.database.query(
    `CREATE DATABASE ${name} ENCODING 'SQL_ASCII' LOCALE_PROVIDER libc LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0`,
  );
  const url = Object.assign(new URL(galley.database.url), { pathname: name });
  const lines = await diagnose({ DATABASE_URL: url.href, REDIS_URL: '' });
  await galley.database.query(`DROP DATABASE ${name} WITH (FORCE)`);
  expect(problemsIn(lines)).toEqual([
    expect.stringMatching(/database: The encoding of the database is SQL_ASCII/),
    expect.stringMatching(/migrations: \d+ migrations must still run/),
    expect.stringMatching(/queue: The queue in PostgreSQL lacks tables or functions: run/),
  ]);
  expect(lines).toContain('skipped keys: The database is not migrated.');
});

it('says which key fits the stored secrets, and which old key is still needed', async () => {
  const { SECRETS_KEYS: key = '' } = galley.environment;
  const [newKey, unusedKey] = [randomBytes(32), randomBytes(32)].map((bytes) =>
    bytes.toString('base64'),
  );
  expect(problemsIn(await diagnose({ SECRETS_KEYS: newKey ?? '' }))).toEqual([
    expect.stringMatching(
      /keys: SECRETS_KEYS lacks a key that the secrets of 1 webhook need \(([0-9a-f]{8})\): add the key that encrypts new values \(\1\), and put it first, unless you want key 1 to replace it\.$/,
    ),
  ]);
  const lines = await diagnose({ SECRETS_KEYS: `${newKey},${key},${unusedKey}` });
  expect(lines.filter((line) => line.includes(' keys: '))).toEqual([
    expect.stringMatching(
      /^warning keys: Key 1 .* does not encrypt new values yet, because 1 running program does not list it first \(api on /,
    ),
    expect.stringMatching(/^ok keys: Key 2 of SECRETS_KEYS \([0-9a-f]{8}\) encrypts new values\.$/),
    expect.stringMatching(/^warning keys: Key 3 of SECRETS_KEYS .* has never encrypted anything/),
  ]);
});

it('says what is wrong with a list of keys that is not the one of the running programs', async () => {
  const { SECRETS_KEYS: key = '' } = galley.environment;
  const other = randomBytes(32);
  const otherId = computeKeyId(other);
  const keys = async (...list: string[]) =>
    (await diagnose({ SECRETS_KEYS: list.join(',') })).filter((line) => line.includes(' keys: '));
  const set = (state: string, age: string) =>
    galley.database.query(
      `INSERT INTO encryption_keys (id, state, changed_at) VALUES ($1, $2, now() - $3::interval)
       ON CONFLICT (id) DO UPDATE SET state = $2, changed_at = now() - $3::interval`,
      [otherId, state, age],
    );
  await set('retired', '2 hours');
  expect(await keys(key)).toEqual([
    `warning keys: SECRETS_KEYS lacks key ${otherId}, which stored responses and cursors need for another 22 hours: put the key at the end of SECRETS_KEYS for that time. Without the key, repeated requests get 409, and requests with an earlier cursor get 400.`,
  ]);
  expect(await keys(other.toString('base64'), key)).toContainEqual(
    expect.stringMatching(
      new RegExp(
        `^warning keys: Key 1 .*${otherId}.* is an earlier key, and .* encrypts new values: put key`,
      ),
    ),
  );
  await set('retired', '25 hours');
  expect(await keys(key)).toEqual([
    'ok keys: SECRETS_KEYS contains every key that the stored secrets need.',
  ]);
  expect(await keys(key, other.toString('base64'))).toEqual([
    `ok keys: Nothing needs key 2 of SECRETS_KEYS (${otherId}): remove it.`,
  ]);
  expect(await keys(key, randomBytes(32).toString('base64'))).toEqual([
    expect.stringMatching(/^warning keys: Key 2 .* has never encrypted anything: put it first/),
  ]);
  const rename = (from: string, to: string) =>
    galley.database.query('UPDATE running_programs SET key_ids[1] = $2 WHERE key_ids[1] = $1', [
      from,
      to,
    ]);
  const ownId = computeKeyId(Buffer.from(key, 'base64'));
  await rename(ownId, '0a1b2c3d');
  expect(await keys(key)).toEqual([
    expect.stringMatching(
      /^warning keys: 1 running program has a different first key in SECRETS_KEYS \(0a1b2c3d\)\. .*use the same SECRETS_KEYS here/,
    ),
  ]);
  await rename('0a1b2c3d', ownId);
  await galley.database.query('DELETE FROM encryption_keys WHERE id = $1', [otherId]);
});

/** A server that responds as an old Redis whose clock is a minute ahead. */
async function startOldRedis(): Promise<Server> {
  const info = ['redis_version:5.0.7', 'maxmemory_policy:allkeys-lru', 'role:slave'].join('\r\n');
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      for (const [, command = ''] of bytes.toString().matchAll(/\*\d+\r\n\$\d+\r\n(\w+)/g)) {
        const seconds = String(Math.round(Date.now() / 1_000) + 60);
        const time = `*2\r\n$${seconds.length}\r\n${seconds}\r\n$1\r\n0\r\n`;
        const bulk = `$${info.length}\r\n${info}\r\n`;
        const responses: Record<string, string> = { info: bulk, time };
        socket.write(responses[command.toLowerCase()] ?? '+OK\r\n');
      }
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

it('finds an old Redis that evicts keys, is a replica and has another time', async () => {
  const server = await startOldRedis();
  const { port } = server.address() as AddressInfo;
  const lines = await diagnose({ REDIS_URL: `redis://127.0.0.1:${port}` });
  server.close();
  expect(problemsIn(lines)).toEqual([
    expect.stringMatching(/queue: Redis 5\.0\.7 is too old/),
    expect.stringMatching(/queue: .*maxmemory-policy is allkeys-lru/),
    expect.stringMatching(/queue: Redis is a replica/),
    expect.stringMatching(
      /clock: The clock of Redis is (59|60|61) s ahead of the clock of this machine/,
    ),
  ]);
});

it('finds clocks that differ', () => {
  const levels = [0, -1_999, 5_000, -5_000, 30_000].map((offset) => checkClock('X', offset).level);
  expect(levels).toEqual(['ok', 'ok', 'warning', 'warning', 'problem']);
});

it('says that the issuer has another name', async () => {
  const lines = await diagnose({ AUTH_ISSUER: `${galley.issuer.url}/` });
  expect(problemsIn(lines)).toEqual([
    expect.stringMatching(/issuer: .*but .* says that the issuer is .*: set AUTH_ISSUER to that/),
  ]);
});

it.each([
  ['http://127.0.0.1/', /^ok .*accepted \(127\.0\.0\.1\)/],
  ['https://8.8.8.8/hook', /^ok .*accepted \(8\.8\.8\.8\)/],
  ['http://localhost/', /^ok .*accepted \(127\.0\.0\.1\)/],
  ['https://10.1.2.3/', /^problem .*10\.1\.2\.3 is not public \(private\)/],
  ['https://[fd00::1]/', /^problem .*fd00::1 is not public \(uniqueLocal\)/],
  ['https://169.254.169.254/', /^problem .*not public \(linkLocal\)/],
  ['https://168.63.129.16/', /^problem .*an address that Azure reserves/],
  [`https://ada:${MARK}@example.com/`, /^problem .*must not contain a user name or password/],
  ['example.com', /^problem webhook: url must be a complete URL/],
])('says whether a webhook may have the URL %s', async (url, expected) => {
  const lines = await diagnose({}, [url]);
  expect(lines.filter((line) => / webhook/.test(line))).toContainEqual(
    expect.stringMatching(expected),
  );
});

it('refuses a URL with a port that is not allowed, and leaves names to a proxy', async () => {
  const ports = { WEBHOOK_ALLOWED_PORTS: '443' };
  expect(problemsIn(await diagnose(ports, ['https://example.com:8443/']))).toEqual([
    'problem webhook example.com: url must use an allowed port: 443.',
  ]);
  const proxy = { WEBHOOK_PROXY_URL: `http://127.0.0.1:${closedPort}` };
  expect(await diagnose(proxy, [`https://example.com/?${MARK}`])).toContain(
    'ok webhook example.com: The URL is accepted (the proxy decides whether the IP address is allowed).',
  );
});

it('says whether the SMTP server accepts the login', async () => {
  const login = { user: 'galley', password: MARK };
  const server = await MailServer.start({ login });
  // The server offers no TLS, and Galley sends no password without TLS.
  const withLogin = {
    SMTP_URL: `smtp://galley:${MARK}@127.0.0.1:${server.port}`,
    MAIL_FROM: 'Galley <galley@example.com>',
  };
  expect(problemsIn(await diagnose(withLogin))).toEqual([
    expect.stringMatching(/mail: The SMTP server 127\.0\.0\.1:\d+ cannot be used \(ETLS/),
  ]);
  expect(server.logins).toBe(0);
  await server.stop();
  const open = await MailServer.start();
  const mail = { SMTP_URL: open.url, MAIL_FROM: 'galley@example.com' };
  expect(await diagnose(mail)).toContainEqual(
    expect.stringMatching(/^ok mail: .*accepts the login/),
  );
  await open.stop();
  expect(problemsIn(await diagnose(mail))).toEqual([expect.stringMatching(/ECONNREFUSED|ESOCKET/)]);
});
