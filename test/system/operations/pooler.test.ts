import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import pg from 'pg';
import { loadApiConfig, loadWorkerConfig } from '#config';
import { JobQueue } from '#queue';
import { createApi } from '../../../apps/api/api.js';
import { createWorker } from '../../../apps/worker/worker.js';
import { Client } from '../../support/api/client.js';
import { eventually } from '../../support/eventually.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';
import { createResource } from '../../support/galley/resources.js';
import { startPgBouncer, type PgBouncer } from '../../support/network/pgbouncer.js';
import { PostgresProxy } from '../../support/network/postgres-proxy.js';
import { runMaintenance } from '../../support/processes/maintenance.js';
import { Program } from '../../support/processes/program.js';
import { Receiver } from '../../support/webhooks/receiver.js';
import { subscribe } from '../../support/webhooks/subscriptions.js';

const EXAMPLE = 'docker/pgbouncer/pgbouncer.ini';
/** The message of the error with which a program does not start. */
const messageOf = (started: Promise<unknown>): Promise<string> =>
  started.then(
    () => 'started',
    (error: unknown) => String(error),
  );

type Entry = 'galley_api' | 'galley_worker';

// .ci/run sets the variable, after it has installed PgBouncer.
(process.env['TEST_POOLER'] ? describe : describe.skip)('PgBouncer in transaction mode', () => {
  let galley: Galley;
  let proxy: PostgresProxy;
  let pooler: PgBouncer;
  let api: NestFastifyApplication;
  let ada: Client;
  let workspaceId: string;

  beforeAll(async () => {
    galley = await startGalley();
    // Other tests commit asynchronously in all programs; here only the entry of the worker asks for that.
    const name = new URL(galley.database.url).pathname.slice(1);
    await galley.database.query(`ALTER DATABASE ${name} SET synchronous_commit = on`);
    proxy = await PostgresProxy.to(galley.database.url, 'galley api');
    pooler = await startPgBouncer(proxy.databaseUrl, (text) =>
      text.replaceAll('dbname=galley ', `dbname=${name} `),
    );
    api = await createApi(loadApiConfig(environmentWith('galley_api')));
    await api.listen(0, '127.0.0.1');
    ada = new Client(await api.getUrl(), await galley.issuer.token('ada'));
    workspaceId = (await galley.createWorkspaceFor('ada')).id;
  });
  afterAll(async () => {
    await api.close();
    await pooler.stop();
    await proxy.stop();
    await galley.stop();
  });

  const urlOf = (entry: Entry, host = pooler.host) =>
    Object.assign(new URL(galley.database.url), { host, pathname: `/${entry}` }).href;
  const environmentWith = (entry: Entry, host?: string) => ({
    ...galley.environment,
    DATABASE_URL: urlOf(entry, host),
  });
  /** The settings of an entry in the example, which must be those that the error message demands. */
  const connectQueryOf = async (entry: Entry) => {
    const line = new RegExp(`^${entry} = .*(connect_query='.*')$`, 'm');
    return line.exec(await readFile(EXAMPLE, 'utf8'))?.[1] ?? 'none';
  };

  it('an API and a worker deliver through the entries of the example', async () => {
    const worker = await createWorker(loadWorkerConfig(environmentWith('galley_worker')));
    await worker.init();
    const receiver = await Receiver.start();
    await subscribe(ada, workspaceId, receiver);
    for (let sent = 0; sent < 20; sent++) {
      await createResource(ada, '/api/templates', { name: `${sent}`, workspaceId });
    }
    await eventually('all deliveries', () => receiver.received.length === 20);
    await worker.close();
    await receiver.stop();
  });

  it('clients with different statements of one name share a connection', async () => {
    const clients = [new pg.Client(urlOf('galley_api')), new pg.Client(urlOf('galley_api'))];
    const pids = new Set<number>();
    for (const client of clients) await client.connect();
    for (let round = 0; round < 5; round++) {
      for (const [index, client] of clients.entries()) {
        const text = `SELECT ${index} AS index, pg_backend_pid() AS pid`;
        const { rows } = await client.query<{ index: number; pid: number }>({
          name: 'galley_0',
          text,
        });
        expect(rows[0]?.index).toBe(index);
        pids.add(rows[0]?.pid ?? 0);
      }
    }
    for (const client of clients) await client.end();
    expect(pids.size).toBe(1);
  });

  it('an API in the entry of the worker does not start, since it could lose confirmed changes', async () => {
    const started = createApi(loadApiConfig(environmentWith('galley_worker')));
    const message = await messageOf(started);
    expect(message).toContain('synchronous_commit is off and not on');
    expect(message).toContain(await connectQueryOf('galley_api'));
  });

  it('a worker in the entry of the API does not start, and says what the entry needs', async () => {
    const started = createWorker(loadWorkerConfig(environmentWith('galley_api')));
    const message = await messageOf(started);
    expect(message).toContain('synchronous_commit is on and not off');
    expect(message).toContain(await connectQueryOf('galley_worker'));
  });

  it('a PgBouncer that refuses the startup parameters is named', async () => {
    const strict = await startPgBouncer(galley.database.url, (text) =>
      text.replace(/^ignore_startup_parameters.*$/m, ''),
    );
    const started = createApi(loadApiConfig(environmentWith('galley_api', strict.host)));
    await expect(started).rejects.toThrow(
      /unsupported startup parameter.*set ignore_startup_parameters = options,statement_timeout/,
    );
    await strict.stop();
  });

  it.each([
    ['are refused through PgBouncer', '', [1, null], 'Set DATABASE_DIRECT_URL to the URL'],
    ['run with DATABASE_DIRECT_URL', 'direct', [0, null], 'Nothing to migrate'],
  ])('migrations %s', async (_title, direct, exit, text) => {
    const program = new Program(process.execPath, ['dist/apps/migrate/main.js'], {
      ...environmentWith('galley_api'),
      DATABASE_DIRECT_URL: direct && galley.database.url,
      NODE_OPTIONS: '',
    });
    expect(await program.exited).toEqual(exit);
    expect(program.output).toContain(text);
  });

  it('the programs of an operator run with DATABASE_DIRECT_URL', async () => {
    const environment = {
      ...environmentWith('galley_api'),
      DATABASE_DIRECT_URL: galley.database.url,
      NODE_OPTIONS: '',
    };
    const missing = '01a2174c-4d2c-716f-b6b4-ebfacfd746d9';
    const programs: [name: 'admin' | 'erase-user', args: string[], text: string][] = [
      ['admin', ['webhooks', 'pause', missing, '--reason', 'Floods'], 'webhook'],
      ['erase-user', [missing], 'nothing about this person'],
    ];
    for (const [name, args, text] of programs) {
      const { code, output } = await runMaintenance(name, args, environment);
      expect([name, code, output]).toEqual([name, 1, expect.stringContaining(text)]);
    }
  });

  it('a queue in PostgreSQL says that it needs DATABASE_DIRECT_URL', async () => {
    const queue = new JobQueue({ databaseUrl: urlOf('galley_api'), prefix: 'unused' });
    expect(await queue.findProblem()).toContain('set DATABASE_DIRECT_URL');
    await queue.onApplicationShutdown();
  });

  describe('if PgBouncer loses its connection to PostgreSQL', () => {
    it('a read is repeated', async () => {
      const id = await createResource(ada, '/api/templates', { name: 'A', workspaceId });
      const connectionLost = proxy.loseResponseTo(id);
      expect((await ada.get(`/api/templates/${id}`)).status).toBe(200);
      await connectionLost;
    });

    it('a transaction before COMMIT is run again', async () => {
      const id = await createResource(ada, '/api/templates', { name: 'A', workspaceId });
      const connectionLost = proxy.loseResponseTo(id);
      expect((await ada.put(`/api/templates/${id}`, { name: 'B' })).status).toBe(200);
      await connectionLost;
    });

    it('a change that may have been made gets a 503 that says so', async () => {
      const connectionLost = proxy.loseResponseTo('Unheard');
      const { status, body } = await ada.post<{ message: string }>('/api/templates', {
        name: 'Unheard',
        workspaceId,
      });
      await connectionLost;
      expect(status).toBe(503);
      expect(body.message).toContain('may or may not have been made');
    });
  });
});
