import { expect, it } from '@jest/globals';
import type { HealthReport } from '#client';
import { eventually } from '../../support/eventually.js';
import { addEvents } from '../../support/webhooks/outbox-events.js';
import {
  ada,
  endpoint,
  galley,
  receiver,
  useSubscribedWorkspace,
  workspace,
} from '../../support/webhooks/subscribed-workspace.js';
import { itTimed } from '../../support/it-timed.js';

useSubscribedWorkspace();

const readHealth = async () =>
  (await ada.get<HealthReport>(`/api/webhooks/${endpoint.id}/health`)).body;
const createTemplate = () =>
  ada.post('/api/templates', { name: 'Welcome', workspaceId: workspace.id });
const waitForHealth = (what: string, condition: (report: HealthReport) => boolean) =>
  eventually(what, async () => {
    const report = await readHealth();
    return condition(report) && report;
  });

it('a new webhook is unproven, and healthy after successes', async () => {
  expect(await readHealth()).toEqual({
    health: 'unproven',
    consecutiveFailures: 0,
    failingSince: null,
    pausedUntil: null,
    pauseReason: null,
    inFlight: 0,
    concurrency: 1,
    pending: 0,
    held: 0,
    nextAttemptAt: null,
    lastFailure: null,
  });
  await createTemplate();
  expect(await waitForHealth('a success', ({ health }) => health === 'healthy')).toMatchObject({
    concurrency: 2,
    consecutiveFailures: 0,
    pausedUntil: null,
  });
});

it('a webhook whose attempt is in flight says so', async () => {
  let respond = () => undefined as unknown;
  receiver.reaction = () => new Promise((resolve) => (respond = () => resolve(204)));
  await createTemplate();
  expect(await waitForHealth('the attempt', ({ inFlight }) => inFlight === 1)).toMatchObject({
    pending: 1,
    nextAttemptAt: null,
  });
  await eventually('the request', () => receiver.received.length === 1);
  respond();
  await waitForHealth('the end of the attempt', ({ pending }) => pending === 0);
});

itTimed('the circuit breaker pauses a webhook after five failures', async () => {
  receiver.reaction = () => 500;
  await galley.database.query('UPDATE webhook_traffic SET failures = 4 WHERE endpoint_id = $1', [
    endpoint.id,
  ]);
  await createTemplate();
  const report = await waitForHealth('the breaker', ({ pausedUntil }) => pausedUntil !== null);
  expect(report).toMatchObject({
    health: 'failing',
    consecutiveFailures: 5,
    failingSince: expect.any(String),
    pauseReason: 'circuit-breaker',
    pending: 1,
    lastFailure: { statusCode: 500, stage: 'status' },
  });
  const waitsMs = Date.parse(report.pausedUntil ?? '') - Date.parse(report.failingSince ?? '');
  expect(waitsMs).toBeGreaterThanOrEqual(4_000);
  expect(waitsMs).toBeLessThanOrEqual(6_000);
  expect(Date.parse(report.nextAttemptAt ?? '')).toBeGreaterThanOrEqual(
    Date.parse(report.pausedUntil ?? ''),
  );
});

it('Retry-After pauses a webhook', async () => {
  receiver.reaction = () => ({ status: 429, headers: { 'retry-after': '120' } });
  await createTemplate();
  const report = await waitForHealth('the pause', ({ pausedUntil }) => pausedUntil !== null);
  expect(report).toMatchObject({
    health: 'failing',
    consecutiveFailures: 1,
    pauseReason: 'retry-after',
  });
  expect(Date.parse(report.nextAttemptAt ?? '')).toBeGreaterThan(Date.now() + 100_000);
});

it('a disabled webhook holds its deliveries, and the count stops at a thousand', async () => {
  await ada.post(`/api/webhooks/${endpoint.id}/disable`);
  await addEvents(galley.database, 1_100, workspace);
  const report = await waitForHealth('all to be held', ({ held }) => held === 1_000);
  expect(report).toMatchObject({ pending: 0, pausedUntil: null, nextAttemptAt: null });
});
