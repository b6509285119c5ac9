import { spawnSync } from 'node:child_process';
import { request } from 'node:http';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { CreatedWebhook, Workspace } from '#client';
import { loadApiConfig, loadWorkerConfig } from '#config';
import { createApi } from '../../../apps/api/api.js';
import { createWorker } from '../../../apps/worker/worker.js';
import { findFreePort } from '../../../apps/standalone/ports.js';
import type { Client } from '../../support/api/client.js';
import { eventually } from '../../support/eventually.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';
import { createResource } from '../../support/galley/resources.js';
import { Scrape } from '../../support/metrics/scrape.js';
import { hasProgram } from '../../support/processes/required-program.js';
import { Receiver } from '../../support/webhooks/receiver.js';
import { subscribe } from '../../support/webhooks/subscriptions.js';

const RATE_LIMIT = 300;

// Below the ports from which the kernel chooses for connections, so that no connection takes them meanwhile.
const apiPort = await findFreePort(20_000 + Math.floor(Math.random() * 10_000), 0);
const workerPort = await findFreePort(apiPort + 1, 0);
let galley: Galley;
let worker: NestFastifyApplication;
let ada: Client;
let workspace: Workspace;
let receiver: Receiver;
let endpoint: CreatedWebhook;

beforeAll(async () => {
  galley = await startGalley({
    environment: { METRICS_PORT: String(apiPort), RATE_LIMIT_USER: String(RATE_LIMIT) },
  });
  worker = await createWorker(
    loadWorkerConfig({ ...galley.environment, METRICS_PORT: String(workerPort) }),
  );
  await worker.init();
  ada = await galley.clientFor('ada');
  workspace = await galley.createWorkspaceFor('ada');
  receiver = await Receiver.start();
  endpoint = await subscribe(ada, workspace.id, receiver, ['template.created']);
});
afterAll(async () => {
  await worker.close();
  await galley.stop();
  await receiver.stop();
});

const createTemplate = () =>
  createResource(ada, '/api/templates', { workspaceId: workspace.id, name: 'T', content: {} });

/** Waits until a series has a value of at least `minimum`. */
const waitFor = (port: number, series: string, minimum = 1) =>
  eventually(series, async () => {
    const scrape = await Scrape.of(port);
    return (scrape.value(series) ?? 0) >= minimum && scrape;
  });

it('a change and its delivery are counted by route, result and duration', async () => {
  await createTemplate();
  const delivered = 'galley_delivery_attempts_total{result="delivered",stage="none"}';
  const ofWorker = await waitFor(workerPort, delivered);
  expect(ofWorker.value(delivered)).toBe(1);
  expect(ofWorker.value('galley_delivery_attempt_duration_seconds_count{result="delivered"}')).toBe(
    1,
  );
  expect(ofWorker.value('galley_delivery_latency_seconds_count')).toBe(1);
  expect(ofWorker.value('galley_delivery_latency_seconds_bucket{le="10"}')).toBe(1);
  expect(ofWorker.value('galley_events_relayed_total')).toBe(1);
  expect(ofWorker.value('galley_worker_slots')).toBe(500);
  expect(ofWorker.value('galley_worker_endpoints_waiting{health="healthy"}')).toBe(0);
  expect(ofWorker.value('galley_worker_loop_errors_total{loop="relay"}')).toBe(0);

  const ofApi = await Scrape.of(apiPort);
  const route = 'method="POST",route="/api/templates"';
  expect(ofApi.value(`galley_http_requests_total{${route},status="201"}`)).toBe(1);
  expect(ofApi.value(`galley_http_request_duration_seconds_count{${route}}`)).toBe(1);
  expect(ofApi.value('galley_http_requests_in_flight')).toBe(0);
  expect(ofApi.value('galley_admission_slots')).toBe(4);
  expect(ofApi.value('galley_admission_in_use')).toBe(0);
  expect(ofApi.value('galley_admission_waiting')).toBe(0);
});

it('a failed attempt is counted with the stage in which it failed, and no latency for a retry', async () => {
  receiver.reaction = () => 500;
  await createTemplate();
  const failed = 'galley_delivery_attempts_total{result="failed",stage="status"}';
  const before = await waitFor(workerPort, failed);
  expect(before.value('galley_delivery_latency_seconds_count')).toBe(2);
  receiver.reaction = () => 204;
  await ada.post(`/api/webhooks/${endpoint.id}/deliveries/retry`, {});
  const after = await waitFor(
    workerPort,
    'galley_delivery_attempts_total{result="delivered",stage="none"}',
    2,
  );
  expect(after.value('galley_delivery_latency_seconds_count')).toBe(2);
});

it('a replay is counted as an attempt and not in the latency', async () => {
  await ada.post(`/api/webhooks/${endpoint.id}/replays`, { since: '2026-01-01T00:00:00Z' });
  const after = await waitFor(
    workerPort,
    'galley_delivery_attempts_total{result="delivered",stage="none"}',
    4,
  );
  expect(after.value('galley_delivery_latency_seconds_count')).toBe(2);
});

it.each([
  ['api', apiPort],
  ['worker', workerPort],
])('the %s exports its pool, readiness, migrations, build and process', async (_name, port) => {
  const scrape = await Scrape.of(port);
  expect(scrape.value('galley_database_pool_size')).toBe(5);
  expect(scrape.value('galley_database_pool_waiting')).toBe(0);
  expect(scrape.value('galley_database_pool_connections{state="idle"}')).toBeGreaterThan(0);
  expect(scrape.value('galley_ready')).toBe(1);
  expect(scrape.value('galley_migrations_pending')).toBe(0);
  expect(scrape.text).toMatch(/^galley_schema_migration_info\{migration="\w+"\} 1$/m);
  expect(scrape.text).toMatch(
    /^galley_build_info\{version="[\w.-]+",commit="[\w-]+",node_version="v[\d.]+"\} 1$/m,
  );
  // PostgreSQL runs on this machine, so only a busy processor separates the clocks.
  expect(Math.abs(scrape.value('galley_clock_offset_seconds') ?? NaN)).toBeLessThan(2);
  expect(scrape.value('process_resident_memory_bytes')).toBeGreaterThan(0);
  expect(scrape.value('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0);
});

it('a database without the latest migration is pending', async () => {
  await galley.database.query(`UPDATE migrations SET name = 'old ' || name`);
  const scrape = await Scrape.of(apiPort);
  await galley.database.query(`UPDATE migrations SET name = replace(name, 'old ', '')`);
  expect(scrape.value('galley_migrations_pending')).toBe(1);
});

it('changes that fail for want of space are counted, and the program stays ready', async () => {
  const full = 'galley_database_shortages_total{cause="disk_full"}';
  expect((await Scrape.of(apiPort)).value(full)).toBe(0);
  await galley.database.query(`
    CREATE FUNCTION fill_disk() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE 'could not extend file' USING ERRCODE = 'disk_full'; END $$;
    CREATE TRIGGER fill_disk BEFORE INSERT ON documents EXECUTE FUNCTION fill_disk()`);
  const body = { workspaceId: workspace.id, name: 'T', content: {} };
  expect((await ada.post('/api/templates', body)).status).toBe(503);
  const idempotent = ada.with({ 'idempotency-key': 'full' });
  expect((await idempotent.post('/api/templates', body)).status).toBe(503);
  await galley.database.query('DROP FUNCTION fill_disk CASCADE');
  const scrape = await Scrape.of(apiPort);
  expect(scrape.value(full)).toBe(2);
  expect(scrape.value('galley_database_shortages_total{cause="timeout"}')).toBe(0);
  expect(scrape.value('galley_ready')).toBe(1);
});

it('requests with any path, method and status make no more series', async () => {
  const send = (index: number) =>
    new Promise<void>((resolve, reject) => {
      const methods = ['GET', 'PUT', 'PATCH', 'DELETE', 'PROPFIND', 'REPORT', 'LOCK', 'HEAD'];
      const unique = `unique-${index}`;
      const paths = [`/${unique}`, `/api/templates/${unique}`, `/api/${unique}/x`, `/%zz${unique}`];
      const path = paths[index % paths.length] ?? '';
      const headers = index % 7 === 0 ? { authorization: `Bearer ${ada.token}` } : {};
      const method = methods[Math.floor(index / 4) % methods.length] ?? '';
      const sent = request(galley.url + path, { method, headers }, (response) => {
        response.resume();
        response.on('end', resolve);
      });
      sent.on('error', reject);
      sent.end();
    });
  const names = (scrape: Scrape) =>
    [...scrape.series.keys()].filter((series) => series.startsWith('galley_')).sort();
  for (let index = 0; index < 250; index++) await send(index);
  const before = names(await Scrape.of(apiPort));
  for (let index = 250; index < 1_250; index++) await send(index);
  const after = await Scrape.of(apiPort);
  expect(names(after)).toEqual(before);
  expect(after.text).not.toContain('unique');
  expect(after.value('galley_http_requests_in_flight')).toBe(0);
});

it('requests over a rate limit are counted', async () => {
  const eve = await galley.clientFor('eve');
  const series = 'galley_rate_limited_requests_total{limit="user"}';
  expect((await Scrape.of(apiPort)).value(series)).toBeUndefined();
  let refused = 0;
  // A minute may end meanwhile, so that the count begins again.
  while (refused < 5) if ((await eve.get('/api/auth/me')).status === 429) refused++;
  expect((await Scrape.of(apiPort)).value(series)).toBe(refused);
});

it.each([
  ['api', apiPort],
  ['worker', workerPort],
])('no metric of the %s contains an id, a URL or a secret', async (_name, port) => {
  const { text } = await Scrape.of(port);
  const { SECRETS_KEYS, DATABASE_URL, QUEUE_PREFIX } = galley.environment;
  for (const secret of [
    SECRETS_KEYS,
    DATABASE_URL,
    QUEUE_PREFIX,
    receiver.url,
    endpoint.secret,
    workspace.id,
    endpoint.id,
  ]) {
    expect(text).not.toContain(secret);
  }
  expect(text).not.toMatch(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/);
  expect(text).not.toMatch(/https?:\/\//);
});

const hasPromtool = hasProgram('promtool', 'apt-get install prometheus');

(hasPromtool ? it : it.skip).each([
  ['api', apiPort],
  ['worker', workerPort],
])('promtool accepts the metrics of the %s', async (_name, port) => {
  const { text } = await Scrape.of(port);
  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], {
    input: text,
    encoding: 'utf8',
  });
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' });
});

it('one program measures the backlog for all, and another one takes over when it is gone', async () => {
  const measuring = async () => {
    const scrapes = await Promise.all([Scrape.of(apiPort), Scrape.of(workerPort)]);
    return scrapes.filter((scrape) => scrape.value('galley_observed_timestamp_seconds'));
  };
  const onlyOne = async () => {
    const scrapes = await measuring();
    expect(scrapes.length).toBeLessThan(2);
    return scrapes[0];
  };
  const scrape = await eventually('the endpoint to be measured', async () => {
    const latest = await onlyOne();
    return latest?.value('galley_endpoints{state="active"}') === 1 && latest;
  });
  expect(scrape.value('galley_outbox_events')).toBe(0);
  expect(scrape.value('galley_search_oldest_due_age_seconds')).toBeGreaterThanOrEqual(0);
  expect(scrape.value('galley_queue_jobs{state="waiting"}')).toBe(0);
  expect(scrape.value('galley_workspace_backlog_deliveries{rank="10"}')).toBe(0);
  // A program that was killed leaves its lease behind.
  await galley.database.query(
    `UPDATE leases SET holder = gen_random_uuid(), expires_at = now() + interval '15 seconds'`,
  );
  await eventually('the holder to notice', async () => (await measuring()).length === 0);
  await eventually('the backlog to be measured again', onlyOne);
});

it('the port serves GET /metrics and nothing else', async () => {
  const statusOf = async (path: string, method = 'GET') =>
    (await fetch(`http://127.0.0.1:${apiPort}${path}`, { method })).status;
  expect(await statusOf('/metrics?name=x')).toBe(200);
  expect(await statusOf('/metrics', 'POST')).toBe(405);
  for (const path of ['/', '/health/live', '/metrics/', '/api/templates']) {
    expect(await statusOf(path)).toBe(404);
  }
  // Nothing listens beyond METRICS_HOST, which is 127.0.0.1 by default.
  await expect(fetch(`http://127.0.0.2:${apiPort}/metrics`)).rejects.toThrow('fetch failed');
  const { headers } = await fetch(`http://127.0.0.1:${apiPort}/metrics`);
  expect(headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  expect((await ada.get('/metrics')).status).toBe(404);
});

it('without METRICS_PORT only the API listens; a port in use is reported', async () => {
  const countServers = () =>
    process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap').length;
  const before = countServers();
  const api = await createApi(loadApiConfig({ ...galley.environment, METRICS_PORT: '' }));
  await api.listen(0, '127.0.0.1');
  expect(countServers()).toBe(before + 1);
  await api.close();
  const other = await createApi(loadApiConfig(galley.environment));
  await expect(other.init()).rejects.toThrow(`METRICS_PORT ${apiPort} cannot be used (EADDRINUSE)`);
  await other.close();
});
