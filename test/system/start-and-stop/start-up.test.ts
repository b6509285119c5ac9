import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { probePort } from '../../../apps/standalone/ports.js';
import { eventually } from '../../support/eventually.js';
import { createDatabase } from '../../support/galley/database.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';
import { PostgresProxy } from '../../support/network/postgres-proxy.js';
import { hasRedisServer, RedisServer } from '../../support/network/redis-server.js';
import { Program } from '../../support/processes/program.js';

let galley: Galley;

beforeAll(async () => {
  galley = await startGalley();
});
afterAll(() => galley.stop());

const programs = ['api', 'worker', 'migrate'];
const FAILURE = /galley (api did not start|worker did not start|migrate failed)\. .*\n/s;

async function startProgram(program: string, url: string, changes = {}): Promise<Program> {
  const [PORT, WORKER_PORT] = [String(await probePort(0)), String(await probePort(0))];
  const environment = {
    ...galley.environment,
    DATABASE_URL: url,
    DATABASE_DIRECT_URL: '',
    LOG_LEVEL: 'info',
  };
  return new Program(process.execPath, [`dist/apps/${program}/main.js`], {
    ...environment,
    PORT,
    WORKER_PORT,
    ...changes,
    // The log is JSON even if a terminal asks for colours.
    FORCE_COLOR: '1',
    NO_COLOR: '',
  });
}

const databaseUrlWith = (changes: Partial<URL>) =>
  Object.assign(new URL(galley.database.url), changes).href;

/** @returns the lines, each of which must be JSON. */
const parseLines = (output: string) =>
  output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { stage?: string; level: number; msg?: string });

it.each(programs)('%s logs at once, in JSON, that there is no database', async (name) => {
  const unusedHost = `127.0.0.1:${await probePort(0)}`;
  const program = await startProgram(name, databaseUrlWith({ host: unusedHost }));
  await program.waitForOutput('"stage":"connect"', { times: 2 });
  const failures = parseLines(program.output).filter(({ stage }) => stage === 'connect');
  expect(failures.length).toBeGreaterThanOrEqual(2);
  expect(failures[0]?.msg).toBe(`Cannot connect to PostgreSQL at ${unusedHost}.`);
  expect(program.output).not.toContain('\u001b');
  program.killGroup();
  await program.exited;
});

it.each(['api', 'worker'])(
  'the first line of the log says which build of the %s starts',
  async (name) => {
    const program = await startProgram(name, galley.database.url);
    await program.waitForOutput('starts.');
    expect(parseLines(program.output)[0]?.msg).toMatch(
      new RegExp(`^galley ${name} \\d+\\.\\d+\\.\\d+[\\w.-]*\\+\\w{10}`),
    );
    program.killGroup();
    await program.exited;
  },
);

(hasRedisServer ? it : it.skip)('a warning of a library is a line of JSON, too', async () => {
  const redis = await RedisServer.start();
  const REDIS_URL = `redis://:${randomBytes(8).toString('hex')}@${redis.host}`;
  const program = await startProgram('worker', galley.database.url, { REDIS_URL });
  await program.waitForOutput('does not require a password');
  program.killGroup();
  await program.exited;
  const lines = parseLines(program.output);
  expect(lines.filter(({ msg }) => msg?.includes('does not require a password'))).not.toEqual([]);
  await redis.stop();
});

it.each(programs)('%s starts once the database has started', async (name) => {
  const port = await probePort(0);
  const program = await startProgram(name, databaseUrlWith({ host: `127.0.0.1:${port}` }));
  await program.waitForOutput('"stage":"connect"');
  const proxy = await PostgresProxy.to(galley.database.url, 'galley', port);
  const successText = name === 'migrate' ? 'Nothing to migrate' : 'listens at';
  await program.waitForOutput(successText);
  program.killGroup();
  await program.exited;
  await proxy.stop();
});

/**
 * Behaves like PgBouncer: responds to the first message of each connection with an error, and closes the
 * connection.
 */
async function startPooler() {
  const refuse = (socket: Socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      const fields = ['SFATAL', 'C08P01', 'Munsupported startup parameter: options', ''];
      const body = Buffer.from(fields.join('\0') + '\0');
      const header = Buffer.alloc(5);
      header.write('E');
      header.writeInt32BE(body.length + 4, 1);
      socket.end(Buffer.concat([header, body]));
    });
  };
  const server = createServer(refuse).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

it.each([
  ['api', 'DATABASE_URL points to a connection pooler'],
  ['worker', 'DATABASE_URL points to a connection pooler'],
  ['migrate', 'Set DATABASE_DIRECT_URL to the URL of PostgreSQL'],
])('%s ends with advice if a pooler refuses its settings', async (name, advice) => {
  const pooler = await startPooler();
  const { port } = pooler.address() as AddressInfo;
  const program = await startProgram(name, databaseUrlWith({ host: `127.0.0.1:${port}` }));
  expect(await program.exited).toEqual([1, null]);
  await eventually('all of the output', () => FAILURE.test(program.output));
  expect(program.output).toContain(advice);
  expect(program.output).not.toContain('"stage":"connect"');
  expect(program.output).not.toContain('\u001b');
  pooler.close();
});

it.each(programs)(
  '%s ends at once if PostgreSQL has no such database or refuses the user',
  async (name) => {
    // A server that asks for passwords does not say which roles exist.
    const wrong = [{ pathname: '/no_such_database' }, { username: 'no_such_role' }];
    for (const changes of wrong) {
      const program = await startProgram(name, databaseUrlWith(changes));
      expect(await program.exited).toEqual([1, null]);
      await eventually('all of the output', () => FAILURE.test(program.output));
      expect(program.output).toMatch(
        /Cannot connect to PostgreSQL at .* (does not exist|authentication failed for user .*)\. Check the user, the password and the name of the database in DATABASE_URL/,
      );
      expect(program.output).not.toContain('"stage":"connect"');
    }
  },
);

it.each([
  ['api', 'PORT'],
  ['worker', 'WORKER_PORT'],
])('%s ends with a sentence if %s is in use or HOST is not its machine', async (name, variable) => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const changes = [{ [variable]: String(port) }, { HOST: '192.0.2.1' }];
  const [busy, elsewhere] = await Promise.all(
    changes.map(async (change) => {
      const program = await startProgram(name, galley.database.url, change);
      return { exit: await program.waitForExit(), program };
    }),
  );
  for (const ended of [busy, elsewhere]) {
    expect(ended?.exit).toEqual([1, null]);
    await eventually('all of the output', () => FAILURE.test(ended?.program.output ?? ''));
    expect(ended?.program.output).not.toMatch(/^ {4}at /m);
  }
  expect(busy?.program.output).toContain(
    `galley ${name} did not start. ${variable} ${port} cannot be used (EADDRINUSE): set ${variable} to a free port.`,
  );
  expect(elsewhere?.program.output).toContain(
    `galley ${name} did not start. HOST 192.0.2.1 cannot be used (EADDRNOTAVAIL): set HOST to an address of this machine, or to 0.0.0.0 for all addresses.`,
  );
  server.close();
});

it('migrate ends with a sentence if its role lacks a right', async () => {
  const role = `restricted_${randomBytes(4).toString('hex')}`;
  const password = randomBytes(8).toString('hex');
  const empty = await createDatabase('template0');
  await empty.query(`CREATE ROLE ${role} LOGIN PASSWORD '${password}'`);
  await empty.query('REVOKE CREATE ON SCHEMA public FROM PUBLIC');
  const url = Object.assign(new URL(empty.url), { username: role, password }).href;
  const outputOfMigrate = async () => {
    const program = await startProgram('migrate', url);
    expect(await program.waitForExit()).toEqual([1, null]);
    await eventually('all of the output', () => FAILURE.test(program.output));
    expect(program.output).not.toMatch(/^ {4}at /m);
    return program.output;
  };
  const name = new URL(empty.url).pathname.slice(1);
  await empty.query(`REVOKE CONNECT ON DATABASE ${name} FROM PUBLIC`);
  expect(await outputOfMigrate()).toMatch(
    new RegExp(
      `galley migrate failed\\. .*: permission denied for database "${name}"\\. Grant the user`,
    ),
  );
  await empty.query(`GRANT CONNECT ON DATABASE ${name} TO ${role}`);
  const advice =
    '`npm run migrate` needs a role that may. See docs/run/operations.md, section Deploy.';
  expect(await outputOfMigrate()).toContain(
    `permission denied for database ${name}. ${role} may not create schemas and tables: ${advice}`,
  );
  await empty.query(`GRANT CREATE ON DATABASE ${name} TO ${role}`);
  expect(await outputOfMigrate()).toContain(
    `permission denied for schema public. ${role} may not create tables: ${advice}`,
  );
  await empty.query(`DROP OWNED BY ${role} CASCADE`);
  await empty.query(`DROP ROLE ${role}`);
  await empty.drop();
});

/** Asks for a password with SCRAM, and receives the first message of the client. */
async function startServerWithPasswords() {
  const message = (text: string) => {
    const header = Buffer.from('R\0\0\0\0');
    const body = Buffer.from(text);
    header.writeInt32BE(body.length + 4, 1);
    return Buffer.concat([header, body]);
  };
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      socket.write(message('\0\0\0\x0aSCRAM-SHA-256\0\0'));
      socket.once('data', () => socket.write(message('\0\0\0\x0br=1,s=2,i=4096')));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

it.each(['api', 'worker', 'migrate', 'doctor'])(
  '%s says at once that DATABASE_URL lacks a password that PostgreSQL asks for',
  async (name) => {
    const server = await startServerWithPasswords();
    const { port } = server.address() as AddressInfo;
    const program = await startProgram(name, `postgres://galley@127.0.0.1:${port}/galley`);
    expect(await program.waitForExit()).toEqual([1, null]);
    await eventually('all of the output', () =>
      program.output.includes(
        `Cannot connect to PostgreSQL at 127.0.0.1:${port}: DATABASE_URL has no password, and PostgreSQL asks for one.`,
      ),
    );
    expect(program.output).not.toMatch(/"stage":"connect"|SASL/);
    server.close();
  },
);

it.each(['api', 'worker'])(
  '%s says in fewer than 20 lines that it listens, and where',
  async (name) => {
    const program = await startProgram(name, galley.database.url, { MAX_BODY_BYTE: '1' });
    await program.waitForOutput('listens at');
    const { pathname } = new URL(galley.database.url);
    expect(program.output).toMatch(
      new RegExp(`listens at http://127\\.0\\.0\\.1:\\d+\\. PostgreSQL: .*${pathname}\\. Queue: `),
    );
    expect(program.output).toContain('Galley has no variable MAX_BODY_BYTE: check the spelling.');
    expect(parseLines(program.output).length).toBeLessThan(20);
    program.killGroup();
    await program.exited;
  },
);
