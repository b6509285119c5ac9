import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { migrations } from '#database';
import { DataSource } from 'typeorm';
import { parse, stringify } from 'yaml';
import { Client } from '../../support/api/client.js';
import { eventually } from '../../support/eventually.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';
import { createResource } from '../../support/galley/resources.js';
import { TcpProxy } from '../../support/network/tcp-proxy.js';
import { findLastingPort, RestartableProgram } from '../../support/processes/galley-programs.js';
import { Program } from '../../support/processes/program.js';
import {
  ALERT_RULES,
  hasPrometheus,
  NAMESPACE,
  Prometheus,
} from '../../support/processes/prometheus.js';
import { addEvents } from '../../support/webhooks/outbox-events.js';

// The tests are one story, because each alert needs a Galley that runs and an end of the failure before. Each
// failure is caused, not imitated in the series. What takes long runs side by side, on different programs.

// A quiet machine needs a quarter of this for the slowest alert. The message of a failure names all alerts.
const PATIENCE_MS = 120_000;

const PRELOAD = new URL('../../support/processes/short-observation-times.js', import.meta.url).href;
const SHIFTED_CLOCK = new URL('../../chaos/shifted-clock.js', import.meta.url).href;
const TRAFFIC_PAUSE_MS = 100;
const DEAD_WEBHOOKS = 60;
const SLOW_WEBHOOKS = 6;
// More than the slots of the worker can send while the test looks.
const SLOW_EVENTS = 40;
const SLOW_RESPONSE_MS = 2_000;
// Four are enough, unless a busy machine needs longer for them than the range of the rule.
const MAX_RESTARTS = 10;

let galley: Galley;
let database: TcpProxy;
let prometheus: Prometheus;
let environment: Record<string, string>;
let isStoryOver = false;
const [api, otherApi, worker] = await Promise.all([
  RestartableProgram.prepare('api', PRELOAD),
  RestartableProgram.prepare('api', PRELOAD),
  RestartableProgram.prepare('worker', PRELOAD),
]);

/** The proxy of all webhooks. It responds by itself for the receivers behind it. */
const webhookProxy = createServer((request, response) => {
  const { hostname } = new URL(request.url ?? '');
  const respond = (status: number) => response.writeHead(status).end();
  if (hostname === 'dead.test') respond(502);
  else if (hostname === 'slow.test' && areReceiversSlow) setTimeout(respond, SLOW_RESPONSE_MS, 204);
  else respond(204);
});
const webhookProxyPort = await findLastingPort();
const openWebhookProxy = () =>
  once(webhookProxy.listen(webhookProxyPort, '127.0.0.1'), 'listening');
const closeWebhookProxy = async () => {
  const closed = once(webhookProxy.close(), 'close');
  webhookProxy.closeAllConnections();
  await closed;
};
let areReceiversSlow = false;

async function firing(...alerts: string[]): Promise<void> {
  const annotations = await prometheus.waitUntilFiring(alerts, PATIENCE_MS);
  // Prometheus writes the error of a template into the text.
  for (const text of annotations) expect(text).not.toMatch(/<|NaN|\{\{/);
}
const over = (...alerts: string[]) => prometheus.waitUntilOver(alerts, PATIENCE_MS);

// These users create templates all the time, through one API.
const NAMES = ['ada', 'ben', 'cem', 'dan', 'eve', 'fay', 'gus', 'hal'];
let traffic: Promise<void> | undefined;

async function runTraffic(users: { client: Client; workspaceId: string }[]): Promise<void> {
  for (let index = 0; !isStoryOver; index++) {
    const { client, workspaceId } = users[index % users.length] ?? {};
    // Requests fail while their API or its database does not respond.
    client?.post('/api/templates', { workspaceId, name: 'T', content: {} }).catch(() => undefined);
    await delay(TRAFFIC_PAUSE_MS);
  }
}

async function createUser(name: string) {
  const { id: workspaceId } = await galley.createWorkspaceFor(name);
  return { client: new Client(api.url, await galley.issuer.token(name)), workspaceId };
}

/** Creates webhooks through an API that no test disturbs. */
async function createWebhooks(name: string, host: string, count: number) {
  const client = await galley.clientFor(name);
  const workspace = await galley.createWorkspaceFor(name);
  const url = `http://${host}/`;
  const webhook = { workspaceId: workspace.id, url, events: ['template.created'] };
  const ids: string[] = [];
  for (let index = 0; index < count; index++) {
    ids.push(await createResource(client, '/api/webhooks', webhook));
  }
  return { client, workspace, ids };
}

(hasPrometheus ? describe : describe.skip)('each alert', () => {
  beforeAll(async () => {
    galley = await startGalley();
    database = await TcpProxy.to(galley.database.url);
    environment = {
      ...galley.environment,
      DATABASE_URL: database.url,
      DATABASE_DIRECT_URL: database.url,
      WEBHOOK_PROXY_URL: `http://127.0.0.1:${webhookProxyPort}`,
      // So few that the slow webhooks use them up.
      WORKER_CONCURRENCY: '10',
    };
    await openWebhookProxy();
    prometheus = await Prometheus.start({
      'galley-api': [api.metricsPort, otherApi.metricsPort],
      'galley-worker': [worker.metricsPort],
    });
  });
  afterAll(async () => {
    isStoryOver = true;
    await traffic;
    await Promise.all([api, otherApi, worker].map((program) => program.kill()));
    await prometheus.stop();
    await closeWebhookProxy();
    await database.stop();
    await galley.stop();
  });

  it('nothing runs', async () => {
    await firing('GalleyApiMissing', 'GalleyWorkerMissing', 'GalleyObservationsOld');
  });

  let slow: Awaited<ReturnType<typeof createWebhooks>>;
  let healthy: typeof slow;

  it('all is well', async () => {
    await Promise.all([api, otherApi, worker].map((program) => program.start(environment)));
    slow = await createWebhooks('kim', 'slow.test', SLOW_WEBHOOKS);
    await addEvents(galley.database, 3, slow.workspace);
    healthy = await createWebhooks('leo', 'healthy.test', 1);
    const leo = new Client(api.url, await galley.issuer.token('leo'));
    const users = await Promise.all(NAMES.map(createUser));
    traffic = runTraffic([{ client: leo, workspaceId: healthy.workspace.id }, ...users]);
    await prometheus.waitUntilQuiet('5s', PATIENCE_MS);
    const delivered = 'sum(rate(galley_delivery_attempts_total{result="delivered"}[5s]))';
    expect(Number((await prometheus.query(delivered))[0]?.value[1])).toBeGreaterThan(0);
  });

  it('the proxy of the webhooks does not respond', async () => {
    await closeWebhookProxy();
    // A worker tries a delivery again after 5 to 15 seconds, which are not shorter here, unlike the range of the rule.
    const pump = setInterval(() => void addEvents(galley.database, 1, healthy.workspace), 100);
    await firing('GalleyNothingSent', 'GalleyNotReady').finally(() => clearInterval(pump));
    await openWebhookProxy();
    await over('GalleyNothingSent', 'GalleyNotReady');
  });

  it('PostgreSQL does not respond', async () => {
    database.cut();
    await firing('GalleyNotReady', 'GalleyApiErrors');
    database.restore();
    await over('GalleyNotReady');
  });

  it('the disk of PostgreSQL is full', async () => {
    // A trigger sends the error that PostgreSQL sends. A disk that is really full needs root and takes long.
    await galley.database.query(`
      CREATE FUNCTION fill_disk() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE 'could not extend file' USING ERRCODE = 'disk_full'; END $$;
      CREATE TRIGGER fill_disk BEFORE INSERT ON documents EXECUTE FUNCTION fill_disk()`);
    await firing('GalleyDatabaseFull', 'GalleyApiErrors');
    await galley.database.query('DROP FUNCTION fill_disk CASCADE');
    await over('GalleyDatabaseFull');
  });

  it('the clock of an API is ten minutes ahead', async () => {
    await otherApi.kill();
    await otherApi.start({ ...environment, NODE_OPTIONS: `--import=${SHIFTED_CLOCK}` });
    await firing('GalleyClockWrong');
    await otherApi.kill();
    await otherApi.start(environment);
    await over('GalleyClockWrong');
  });

  const startTimeOfOtherApi = async () => {
    const instance = `127.0.0.1:${otherApi.metricsPort}`;
    const series = await prometheus.query(`process_start_time_seconds{instance="${instance}"}`);
    return series[0]?.value[1];
  };

  it('an API starts again and again', async () => {
    const hasFired = async () => (await prometheus.firing()).includes('GalleyRestarts');
    for (let restarts = 0; restarts < MAX_RESTARTS && !(await hasFired()); restarts++) {
      const before = await startTimeOfOtherApi();
      await otherApi.kill();
      await otherApi.start(environment);
      await eventually('the restart to be scraped', async () => {
        const now = await startTimeOfOtherApi();
        return now !== undefined && now !== before;
      });
    }
    await firing('GalleyRestarts');
  });

  it('only one of several programs has a new key', async () => {
    const newKey = randomBytes(32).toString('base64');
    await otherApi.stop();
    await otherApi.start({
      ...environment,
      SECRETS_KEYS: `${newKey},${environment['SECRETS_KEYS']}`,
    });
    await firing('GalleyKeyRotationStuck');
    await otherApi.stop();
    await otherApi.start(environment);
    await over('GalleyKeyRotationStuck');
  });

  async function blockTemplates(): Promise<void> {
    const release = await galley.database.holdLock('LOCK TABLE documents IN ACCESS EXCLUSIVE MODE');
    try {
      await firing('GalleyPoolExhausted', 'GalleyApiErrors', 'GalleyApiSlow');
    } finally {
      await release();
    }
    await over('GalleyPoolExhausted');
  }

  /** Stops the program like a limit of processor time does. */
  async function throttleOtherApi(): Promise<void> {
    let isThrottled = true;
    const throttle = async () => {
      while (isThrottled) {
        otherApi.signal('SIGSTOP');
        await delay(320);
        otherApi.signal('SIGCONT');
        await delay(130);
      }
    };
    const throttling = throttle();
    try {
      await firing('GalleyEventLoopBlocked');
    } finally {
      isThrottled = false;
      await throttling;
    }
    await over('GalleyEventLoopBlocked');
  }

  async function killReceivers(): Promise<void> {
    const { client, workspace, ids } = await createWebhooks('mia', 'dead.test', DEAD_WEBHOOKS);
    await addEvents(galley.database, 20, workspace);
    await firing('GalleyReceiversDead', 'GalleyDeliveriesFail');
    for (const id of ids) await client.delete(`/api/webhooks/${id}`);
    await over('GalleyReceiversDead');
  }

  async function slowDownReceivers(): Promise<void> {
    areReceiversSlow = true;
    await addEvents(galley.database, SLOW_EVENTS, slow.workspace);
    await firing('GalleyWorkersBusy', 'GalleyDeliveriesLate');
    for (const query of await readKedaQueries()) {
      const [series] = await prometheus.query(query);
      expect([query, Number(series?.value[1]) > 0]).toEqual([query, true]);
    }
  }

  it('a lock, a blocked event loop, dead and slow receivers', async () => {
    const outcomes = await Promise.allSettled([
      blockTemplates(),
      throttleOtherApi(),
      killReceivers(),
      slowDownReceivers(),
    ]);
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  });

  it('no worker runs, and the database is not migrated', async () => {
    await worker.stop();
    // The schema of the release before.
    const dataSource = new DataSource({ type: 'postgres', url: galley.database.url, migrations });
    await dataSource.initialize();
    await dataSource.undoLastMigration();
    await dataSource.destroy();
    await firing(
      'GalleyWorkerMissing',
      'GalleyOutboxNotRelayed',
      'GalleyQueueStuck',
      'GalleySchemaOutdated',
    );
    const migrate = new Program(process.execPath, ['dist/apps/migrate/main.js'], environment);
    expect([await migrate.exited, migrate.output]).toEqual([[0, null], expect.anything()]);
    await worker.start(environment);
  });

  it('all is well again', async () => {
    areReceiversSlow = false;
    const alerts = await readAlerts();
    await over(...alerts);
    expect(await prometheus.firedWithin('1h')).toEqual(alerts);
  });
});

/** The queries with which the chart lets KEDA choose the number of workers. */
async function readKedaQueries(): Promise<string[]> {
  const path = new URL('../../../docker/helm/galley/templates/worker.yaml', import.meta.url);
  const queries = [...(await readFile(path, 'utf8')).matchAll(/^ +query: (.+)$/gm)];
  return queries.map(([, query = '']) => query.replaceAll(/\{\{.+?\}\}/g, `"${NAMESPACE}"`));
}

/** The names of all alerts, sorted. */
async function readAlerts(): Promise<string[]> {
  const { groups } = parse(await readFile(ALERT_RULES, 'utf8')) as {
    groups: { rules: { alert: string }[] }[];
  };
  return groups.flatMap(({ rules }) => rules.map(({ alert }) => alert)).sort();
}

// promtool evaluates the rules with their real times. A sample is 15 seconds after the one before.
(hasPrometheus ? it : it.skip).each([
  [
    'GalleyApiMissing',
    'a scrape that fails',
    'galley_http_requests_in_flight',
    '0x20 stale _ 0x20',
  ],
  [
    'GalleyWorkerMissing',
    'a worker that is replaced',
    'galley_worker_slots',
    '500x20 stale _ 500x20',
  ],
  [
    'GalleyRestarts',
    'three releases in a row',
    'process_start_time_seconds{job="galley-api"}',
    '100x20 200x10 300x10 400x40',
  ],
  [
    'GalleyNothingSent',
    'a name server that does not respond for a moment',
    'galley_delivery_attempts_total{result="not_sent",stage="dns"}',
    '0x20 1 3x40',
  ],
  [
    'GalleyWorkersBusy',
    'the webhooks of one large batch',
    'galley_worker_endpoints_waiting{health="healthy"}',
    '0x20 900x20 0x20',
  ],
])('%s does not fire because of %s', async (alertname, _moment, series, values) => {
  const folder = await mkdtemp(join(tmpdir(), 'galley-rules-'));
  const times = Array.from({ length: 60 }, (_, index) => `${15 * index}s`);
  const file = join(folder, 'test.yml');
  const test = {
    interval: '15s',
    input_series: [{ series, values }],
    alert_rule_test: times.map((time) => ({ eval_time: time, alertname, exp_alerts: [] })),
  };
  const tests = { rule_files: [ALERT_RULES], evaluation_interval: '15s', tests: [test] };
  await writeFile(file, stringify(tests));
  const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', file], {
    encoding: 'utf8',
  });
  await rm(folder, { recursive: true });
  expect([status, stdout + stderr]).toEqual([0, expect.anything()]);
});
