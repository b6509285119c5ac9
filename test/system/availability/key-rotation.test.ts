import { afterEach, expect, it } from '@jest/globals';
import { computeKeyId } from '#encryption';
import { eventually } from '../../support/eventually.js';
import type { RestartableProgram } from '../../support/processes/galley-programs.js';
import { KeyFleet, randomKey } from '../../support/processes/key-fleet.js';
import { verify } from '../../support/webhooks/subscriptions.js';

let fleet: KeyFleet;

afterEach(() => fleet.stop());

const idOf = (key: string) => computeKeyId(Buffer.from(key, 'base64'));

const stateOf = async (key: string) => (await fleet.keyStates())[idOf(key)]?.state;
const waitForState = (key: string, state: string) =>
  eventually(`a key to be ${state}`, async () => (await stateOf(key)) === state);

const lacksOldKey = {
  status: 503,
  message: expect.stringMatching(
    /^SECRETS_KEYS lacks a key that stored secrets still need: add that key to the end/,
  ) as unknown,
};
const lacksActiveKey = {
  status: 503,
  message: expect.stringMatching(
    /^SECRETS_KEYS lacks the key that encrypts new data: add that key, and put it first/,
  ) as unknown,
};

const firstOf = (
  programs: readonly RestartableProgram[],
): [RestartableProgram, ...RestartableProgram[]] => {
  const [first, ...others] = programs;
  if (first === undefined) throw new Error('There is no program.');
  return [first, ...others];
};

/** Every request succeeded, and every delivery by its first attempt. */
async function expectNothingLost(secrets: readonly string[]): Promise<void> {
  await fleet.endTraffic();
  await eventually(
    'all deliveries',
    async () => (await fleet.database.count('webhook_deliveries')) === 0,
  );
  expect([fleet.wrongResponses, fleet.problems]).toEqual([[], []]);
  const rows = await fleet.database.query<{ status: string; attempts: number }>(
    'SELECT DISTINCT status, attempts FROM webhook_delivery_log',
  );
  expect(rows).toEqual([{ status: 'delivered', attempts: 1 }]);
  expect(fleet.receiver.received.length).toBeGreaterThan(20);
  for (const notification of fleet.receiver.received) {
    expect(notification.headers['authorization']).toBe('Bearer sesame');
    for (const secret of secrets) verify(secret, notification);
  }
}

it('keys are replaced under load, in any order of restarts, and a program without the new key does no harm', async () => {
  fleet = await KeyFleet.prepare();
  const [first, second, third] = [randomKey(), randomKey(), randomKey()];
  await fleet.startAll([first]);
  const secrets = await fleet.beginTraffic();
  const rotations = [
    { order: [...fleet.workers, ...fleet.apis], oldKey: first, newKey: second },
    { order: [...fleet.apis, ...fleet.workers], oldKey: second, newKey: third },
  ];
  for (const { order, oldKey, newKey } of rotations) {
    for (const program of order) {
      expect(await stateOf(oldKey)).toBe('active');
      await fleet.restart(program, [newKey, oldKey]);
      await fleet.moreChanges();
    }
    await waitForState(oldKey, 'retired');
    expect(await fleet.keyStates()).toMatchObject({
      [idOf(newKey)]: { state: 'active', webhooks: 1 },
      [idOf(oldKey)]: { state: 'retired', webhooks: 0 },
    });
  }
  // Programs that the operator has forgotten start beside the others.
  const forgotten = [firstOf(fleet.workers)[0], firstOf(fleet.apis)[0]];
  for (const program of forgotten) {
    await fleet.pauseWatching(program);
    await program.stop();
    await fleet.start(program, [second]);
    expect(await fleet.readinessOf(program)).toEqual(lacksActiveKey);
  }
  await fleet.moreChanges();
  for (const program of forgotten) await fleet.restart(program, [third]);
  await fleet.moreChanges();
  await expectNothingLost(secrets);
}, 240_000);

it('programs that sleep through a rotation do no harm when they wake, and killed ones only delay it', async () => {
  fleet = await KeyFleet.prepare();
  const [oldKey, newKey] = [randomKey(), randomKey()];
  await fleet.startAll([oldKey]);
  const secrets = await fleet.beginTraffic();
  const [sleepingApi, otherApi] = firstOf(fleet.apis);
  const [sleepingWorker, otherWorker] = firstOf(fleet.workers);
  if (otherApi === undefined || otherWorker === undefined) throw new Error('unreachable');
  for (const program of [sleepingApi, sleepingWorker]) {
    await fleet.pauseWatching(program);
    program.signal('SIGSTOP');
  }
  await fleet.pauseWatching(otherWorker);
  await otherWorker.kill();
  await fleet.startReady(otherWorker, [newKey, oldKey]);
  await fleet.restart(otherApi, [newKey, oldKey]);
  await waitForState(oldKey, 'retired');
  // The old key is gone from all programs that are awake.
  for (const program of [otherApi, otherWorker]) await fleet.restart(program, [newKey]);
  for (const program of [sleepingApi, sleepingWorker]) program.signal('SIGCONT');
  const client = await fleet.clientOf(sleepingApi);
  const write = await client.post('/api/webhooks', {
    workspaceId: fleet.workspaceId,
    url: fleet.receiver.url,
    events: ['template.created'],
  });
  expect(write).toMatchObject({ status: 503, body: { code: 'unavailable' } });
  for (const program of [sleepingApi, sleepingWorker]) {
    await eventually('the program not to be ready', async () => {
      return (await fleet.readinessOf(program)).status === 503;
    });
    expect(await fleet.readinessOf(program)).toEqual(lacksActiveKey);
  }
  const secret = await client.get<{ message: string }>(`/api/webhooks/${fleet.webhookId}/secret`);
  expect([secret.status, secret.body.message]).toEqual([
    503,
    'The secret cannot be decrypted until the operator of Galley adds a missing key to SECRETS_KEYS. Send the request again after that.',
  ]);
  expect(sleepingApi.output).toMatch(/"stage":"decrypt secret",.*"keyId":"[0-9a-f]{8}"/);
  await fleet.moreChanges();
  await expectNothingLost(secrets);
}, 240_000);

it('a program that is stopped no longer counts as running', async () => {
  fleet = await KeyFleet.prepare();
  const [api] = firstOf(fleet.apis);
  const [worker] = firstOf(fleet.workers);
  const key = randomKey();
  for (const program of [api, worker]) await fleet.startReady(program, [key]);
  expect(await fleet.database.count('running_programs')).toBe(2);
  // Without a worker or an API that runs, nobody removes the rows of the programs that have ended.
  await Promise.all([api.stop(), worker.stop()]);
  expect(await fleet.database.count('running_programs')).toBe(0);
  expect(api.output + worker.output).not.toContain('"stage":"keys","count"');
}, 60_000);

it('a key that is removed too early keeps programs from becoming ready; each rotation needs all programs', async () => {
  fleet = await KeyFleet.prepare();
  const [first, second, third] = [randomKey(), randomKey(), randomKey()];
  const [api, otherApi] = firstOf(fleet.apis);
  const [worker] = firstOf(fleet.workers);
  if (otherApi === undefined) throw new Error('unreachable');
  await fleet.startReady(api, [first]);
  await fleet.createWebhook();
  // Without a worker, nothing is encrypted again.
  await api.stop();
  await fleet.startReady(api, [second, first]);
  await waitForState(second, 'active');
  await fleet.start(otherApi, [second]);
  expect(await fleet.readinessOf(otherApi)).toEqual(lacksOldKey);
  await otherApi.stop();
  // Programs that disagree change nothing, whatever they know.
  await fleet.startReady(otherApi, [third, second, first]);
  await fleet.startReady(worker, [second, third, first]);
  await waitForState(first, 'retired');
  expect([await stateOf(second), await stateOf(third)]).toEqual(['active', undefined]);
  for (const program of [api, worker]) {
    await program.stop();
    await fleet.startReady(program, [third, second]);
  }
  await waitForState(second, 'retired');
  // The same way leads back.
  for (const program of [api, otherApi, worker]) {
    await program.stop();
    await fleet.startReady(program, [second, third]);
  }
  await waitForState(third, 'retired');
  expect(await stateOf(second)).toBe('active');
}, 120_000);
