import { randomBytes } from 'node:crypto';
import { join, resolve } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { probePort } from '../../apps/standalone/ports.js';
import { onPath } from '../bench/programs.js';
import { RedisServer } from '../chaos/servers.js';
import { eventually } from '../support/eventually.js';
import { createDatabase } from '../support/galley/database.js';
import { AUDIENCE, Issuer } from '../support/identity/issuer.js';
import { Program } from '../support/processes/program.js';
import { Receiver } from '../support/webhooks/receiver.js';
import { buildRelease, releasedCommit } from './released.js';
import { Traffic } from './traffic.js';

const PRESENT = resolve('.');
const BUILD_TIMEOUT_MS = 600_000;
// How many changes each part of the upgrade must see before the next part begins.
const CHANGES = 100;
const EVENTS = ['template', 'module'].flatMap((type) =>
  ['created', 'updated', 'deleted'].map((change) => `${type}.${change}`),
);

// Building the release takes a minute or more, so only `npm run test:upgrade` runs this test.
const commit = process.env['UPGRADE'] === 'true' ? releasedCommit() : undefined;
const queues = (await onPath('redis-server')) ? ['PostgreSQL', 'Redis'] : ['PostgreSQL'];

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

interface Running {
  api: Program;
  worker: Program;
  apiUrl: string;
}

/** Starts API and worker of the release or of this checkout, and waits until both are ready. */
async function start(directory: string, environment: Record<string, string>): Promise<Running> {
  const [apiPort, workerPort] = [await probePort(0), await probePort(0)];
  const env = { ...environment, PORT: String(apiPort), WORKER_PORT: String(workerPort) };
  const [api, worker] = ['api', 'worker'].map((name) => launch(directory, name, env)) as [
    Program,
    Program,
  ];
  for (const port of [apiPort, workerPort]) {
    await eventually(
      `${directory} to be ready at port ${port}`,
      () =>
        fetch(`http://127.0.0.1:${port}/health/ready`).then(
          ({ ok }) => ok,
          () => false,
        ),
      { timeout: 90_000 },
    );
  }
  return { api, worker, apiUrl: `http://127.0.0.1:${apiPort}` };
}

function launch(directory: string, name: string, environment: Record<string, string>): Program {
  const program = new Program(
    process.execPath,
    [join(directory, `dist/apps/${name}/main.js`)],
    environment,
  );
  cleanUps.push(() => program.killGroup());
  return program;
}

async function migrate(directory: string, environment: Record<string, string>): Promise<void> {
  const program = launch(directory, 'migrate', environment);
  const [code] = await program.exited;
  expect([code, program.output]).toEqual([0, expect.anything()]);
}

async function end(program: Program): Promise<void> {
  program.signal('SIGTERM');
  expect(await program.exited).toEqual([0, null]);
}

/** Lines of the log with the level error or above. */
const errorsOf = ({ output }: Program): string[] =>
  output.split('\n').filter((line) => /"level":(?:5|6)0/.test(line) || !line.startsWith('{'));

(commit === undefined ? describe.skip : describe)(
  'the upgrade from the release, and the rollback',
  () => {
    it.each(queues)(
      'happens under load without an error or a lost event, with a queue in %s',
      async (queue) => {
        const released = await buildRelease(commit ?? '');
        const database = await createDatabase('template0');
        cleanUps.push(() => database.drop());
        const redis = queue === 'Redis' ? await RedisServer.start() : undefined;
        cleanUps.push(() => redis?.stop());
        const issuer = await Issuer.start();
        cleanUps.push(() => issuer.stop());
        const receiver = await Receiver.start();
        cleanUps.push(() => receiver.stop());
        const secretsKey = randomBytes(32).toString('base64');
        const environment = {
          NODE_ENV: 'test',
          LOG_LEVEL: 'warn',
          HOST: '127.0.0.1',
          DATABASE_URL: database.url,
          REDIS_URL: redis?.url ?? '',
          // The release has one variable, this checkout another.
          SECRETS_KEY: secretsKey,
          SECRETS_KEYS: secretsKey,
          WEBHOOK_ALLOWED_RANGES: '127.0.0.0/8',
          AUTH_ISSUER: issuer.url,
          AUTH_AUDIENCE: AUDIENCE,
          RATE_LIMIT_ADDRESS: '0',
          RATE_LIMIT_USER: '0',
        };
        await migrate(released, environment);
        const old = await start(released, environment);
        const token = await issuer.token('ada');
        const post = async (path: string, body: object): Promise<{ id: string }> => {
          const response = await fetch(old.apiUrl + path, {
            method: 'POST',
            headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
            body: JSON.stringify(body),
          });
          expect(response.status).toBe(201);
          return (await response.json()) as { id: string };
        };
        const { id: workspaceId } = await post('/api/workspaces', { name: 'Upgrade' });
        await post('/api/webhooks', { workspaceId, url: receiver.url, events: EVENTS });
        const traffic = new Traffic(old.apiUrl, token, workspaceId);
        cleanUps.push(() => traffic.stop());
        const moreChanges = async (phase: string) => {
          const count = traffic.expectedEvents.length + CHANGES;
          await eventually(
            `changes ${phase}`,
            () => traffic.expectedEvents.length >= count || traffic.wrongResponses.length > 0,
          );
          expect([phase, traffic.wrongResponses]).toEqual([phase, []]);
        };

        await moreChanges('with the release alone');
        await migrate(PRESENT, environment);
        await moreChanges('with the release on the new schema');
        const present = await start(PRESENT, environment);
        traffic.urls = [old.apiUrl, present.apiUrl];
        await moreChanges('with both');
        traffic.urls = [present.apiUrl];
        await end(old.api);
        await end(old.worker);
        await moreChanges('with the new release alone');
        // The rollback: the schema stays, and the release returns beside it.
        const back = await start(released, environment);
        traffic.urls = [present.apiUrl, back.apiUrl];
        await moreChanges('with both, on the way back');
        traffic.urls = [back.apiUrl];
        await end(present.api);
        await end(present.worker);
        await moreChanges('with the release alone, after the rollback');
        await traffic.stop();
        expect(traffic.wrongResponses).toEqual([]);

        const received = () =>
          receiver.received.map(({ body }) => {
            const { event, data } = JSON.parse(body) as { event: string; data: { id: string } };
            return `${event} ${data.id}`;
          });
        const expected = traffic.expectedEvents.toSorted();
        await eventually('all events', () => receiver.received.length >= expected.length);
        await end(back.worker);
        await end(back.api);
        expect(received().toSorted()).toEqual(expected);
        const programs = [old, present, back].flatMap(({ api, worker }) => [api, worker]);
        expect(programs.flatMap(errorsOf)).toEqual(programs.map(() => ''));
      },
      BUILD_TIMEOUT_MS,
    );
  },
);
