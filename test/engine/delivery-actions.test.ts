import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DeliveryActions } from '#webhooks';
import { createMember } from './support/member.js';
import { PreparedDatabase } from './support/prepared-database.js';
import { runWhileLocked } from './support/run-while-locked.js';
import { RESOURCE_A, type State } from './support/state.js';

interface ActionCase extends State {
  title: string;
  /** The message of the refusal, if the action is refused. */
  refusal?: string;
  after: State;
}

const live = { claims: 1, claimed_until: 0.001 };
const lost = { claims: 1, claimed_until: 0 };
const blocked = { resource_id: RESOURCE_A, is_ordered: true, due_at: Infinity };

let database: PreparedDatabase;
let actions: DeliveryActions;

beforeAll(async () => {
  database = await PreparedDatabase.start();
  actions = database.get(DeliveryActions);
});
afterAll(() => database.stop());

async function expectAction(
  action: 'retry' | 'cancel',
  { refusal, after, ...before }: ActionCase,
): Promise<void> {
  const endpoint = await database.prepare(before);
  const admin = await createMember(database, endpoint.workspaceId, 'admin');
  const result = actions[action](admin, endpoint.id, endpoint.idOf('d1'));
  if (refusal === undefined) await result;
  else await expect(result).rejects.toThrow(refusal);
  const actual = await endpoint.read();
  expect(actual).toMatchObject(after);
  const names = (rows: object) => Object.keys(rows).sort();
  if (after.deliveries) expect(names(actual.deliveries)).toEqual(names(after.deliveries));
  if (after.log) expect(names(actual.log)).toEqual(names(after.log));
}

describe('retry', () => {
  it.each<ActionCase>([
    {
      title: 'a delivery that waits for a retry is retried, and the breaker closes',
      traffic: { opened: 2, open_until: 60, failures: 5, wake_at: 60 },
      deliveries: { d1: { due_at: 300, attempts: 3, claims: 3 }, d2: { due_at: -9_000 } },
      after: {
        traffic: { opened: 2, open_until: -Infinity, failures: 5, wake_at: 0 },
        deliveries: { d1: { attempts: 3, claims: 3 }, d2: { due_at: -9_000 } },
      },
    },
    {
      title: 'a delivery that is being sent is not retried',
      traffic: { open_until: 60 },
      deliveries: { d1: live },
      refusal: 'is being sent right now',
      after: { traffic: { open_until: 60 }, deliveries: { d1: live } },
    },
    {
      title: 'a delivery of a dead worker is retried',
      deliveries: { d1: lost },
      after: { traffic: { wake_at: 0 }, deliveries: { d1: { claims: 1 } } },
    },
    {
      title: 'a delivery that waits for an earlier one is not retried',
      endpoint: { ordered: true },
      deliveries: { d1: blocked },
      refusal: 'is waiting for an earlier delivery',
      after: { deliveries: { d1: blocked } },
    },
    {
      title: 'a delivery of a disabled endpoint is not retried',
      endpoint: { status: 'disabled' },
      deliveries: { d1: { due_at: 300 } },
      refusal: 'is disabled',
      after: { traffic: { wake_at: null }, deliveries: { d1: { due_at: 300 } } },
    },
    {
      title: 'a failed delivery of an ordered endpoint is pending again, and ordered',
      endpoint: { ordered: true },
      log: { d1: { status: 'failed', attempts: 10, resource_id: RESOURCE_A } },
      after: {
        deliveries: { d1: { attempts: 10, is_ordered: true, resource_id: RESOURCE_A } },
        log: {},
      },
    },
  ])('$title', (row) => expectAction('retry', row));

  it('a delivery that is retried is due before all others', async () => {
    const endpoint = await database.prepare({
      deliveries: { d1: { due_at: 300 }, d2: { due_at: -9_000 } },
    });
    const admin = await createMember(database, endpoint.workspaceId, 'admin');
    await actions.retry(admin, endpoint.id, endpoint.idOf('d1'));
    const { d1, d2 } = (await endpoint.read()).deliveries;
    expect(d1?.due_at).toBeLessThan(d2?.due_at ?? NaN);
  });

  it('the fencing numbers of a failed delivery go on where its attempts have ended', async () => {
    const endpoint = await database.prepare({ log: { d1: { status: 'failed', attempts: 2 } } });
    for (const claim of [3, 7, 4]) {
      await database.insert('webhook_attempts', {
        delivery_id: endpoint.idOf('d1'),
        claim,
        started_at: -60,
        duration_ms: 1,
      });
    }
    const admin = await createMember(database, endpoint.workspaceId, 'admin');
    await actions.retry(admin, endpoint.id, endpoint.idOf('d1'));
    expect(await endpoint.read()).toMatchObject({ deliveries: { d1: { claims: 7, attempts: 2 } } });
  });

  it('a delivered delivery stays delivered, and its event is sent again out of order', async () => {
    const endpoint = await database.prepare({
      endpoint: { ordered: true },
      log: { d1: { status: 'delivered', attempts: 2, event_position: 7 } },
    });
    const admin = await createMember(database, endpoint.workspaceId, 'admin');
    const { id } = await actions.retry(admin, endpoint.id, endpoint.idOf('d1'));
    endpoint.nameDelivery('repeated', id);
    expect(id).not.toBe(endpoint.idOf('d1'));
    expect(await endpoint.read()).toMatchObject({
      deliveries: {
        repeated: {
          event_position: '7',
          attempts: 0,
          claims: 0,
          is_ordered: false,
          replay_id: endpoint.idOf('d1'),
        },
      },
      log: { d1: { status: 'delivered', attempts: 2 } },
    });
  });
});

describe('cancel', () => {
  it.each<ActionCase>([
    {
      title: 'a delivery of a dead worker is cancelled, and no longer counted',
      traffic: { in_flight: 1 },
      deliveries: { d1: { ...lost, attempts: 2 } },
      after: {
        traffic: { in_flight: 0, wake_at: 0 },
        deliveries: {},
        log: { d1: { status: 'cancelled', attempts: 2 } },
      },
    },
    {
      title: 'a delivery that is being sent is not cancelled',
      traffic: { in_flight: 1 },
      deliveries: { d1: live },
      refusal: 'is being sent right now',
      after: { traffic: { in_flight: 1 }, deliveries: { d1: live }, log: {} },
    },
    {
      title: 'a cancelled delivery releases the next one of its resource',
      endpoint: { ordered: true },
      deliveries: { d1: { ...blocked, due_at: 300 }, d2: blocked },
      after: { deliveries: { d2: { due_at: 0 } }, log: { d1: { status: 'cancelled' } } },
    },
    {
      title: 'a finished delivery is not cancelled',
      log: { d1: { status: 'failed' } },
      refusal: 'its status is failed',
      after: { log: { d1: { status: 'failed' } } },
    },
  ])('$title', (row) => expectAction('cancel', row));

  it('a delivery that a worker claims meanwhile is not cancelled', async () => {
    const endpoint = await database.prepare({ deliveries: { d1: {} } });
    const admin = await createMember(database, endpoint.workspaceId, 'admin');
    const result = await runWhileLocked(
      database,
      'webhook_traffic',
      endpoint.id,
      () => actions.cancel(admin, endpoint.id, endpoint.idOf('d1')).catch(String),
      `UPDATE webhook_deliveries SET claimed_until = fixed.now() + interval '20 s'
       WHERE endpoint_id = $1`,
    );
    expect(result).toContain('is being sent right now');
    expect(await endpoint.read()).toMatchObject({ deliveries: { d1: { claimed_until: 20 } } });
  });
});
