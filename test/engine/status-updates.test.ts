import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { StatusUpdates, type EndpointStatus } from '#webhooks';
import { PreparedDatabase } from './support/prepared-database.js';
import type { State } from './support/state.js';

const URL = 'https://receiver.example/';
const EARLIER_URL = 'https://receiver.example/earlier';

interface StatusCase extends State {
  title: string;
  /** The HTTP status of the response. */
  statusCode: number;
  url?: string;
  /** Seconds since the attempt began. */
  startedAgo?: number;
  newStatus?: EndpointStatus;
  expected: { status: EndpointStatus; reason: string | null };
}

let database: PreparedDatabase;

beforeAll(async () => {
  database = await PreparedDatabase.start();
});
afterAll(() => database.stop());

const GONE = 'The receiver responded with 410 Gone.';
const FAILING = '7 consecutive attempts have failed. Last error: the status was 500.';
const DISABLED =
  'No attempt has succeeded since 2026-01-01T00:00:00.000Z. Last error: the status was 500.';

const listTransitions = (endpointId: string) =>
  database.query(
    'SELECT sequence, status, reason FROM webhook_endpoint_transitions WHERE endpoint_id = $1',
    [endpointId],
  );
const listEvents = (endpointId: string) =>
  database.query('SELECT kind, sequence, workspace_id FROM outbox WHERE resource_id = $1', [
    endpointId,
  ]);

describe('status updates', () => {
  it.each<StatusCase>([
    {
      title: 'a 410 response disables an active endpoint',
      endpoint: { status: 'active' },
      statusCode: 410,
      expected: { status: 'disabled', reason: GONE },
    },
    {
      title:
        'a 410 response disables a failing endpoint, though it began to fail during the attempt',
      endpoint: { status: 'failing', status_since: -1 },
      statusCode: 410,
      startedAgo: 5,
      expected: { status: 'disabled', reason: GONE },
    },
    {
      title: 'a 410 response counts more than a new status of the same attempt',
      endpoint: { status: 'active' },
      traffic: { failures: 7 },
      statusCode: 410,
      newStatus: 'failing',
      expected: { status: 'disabled', reason: GONE },
    },
    {
      title: 'a 410 response of an earlier URL changes nothing',
      endpoint: { status: 'active' },
      statusCode: 410,
      url: EARLIER_URL,
      expected: { status: 'active', reason: null },
    },
    {
      title: 'a 410 response to a request from before the endpoint was enabled changes nothing',
      endpoint: { status: 'active', status_since: -4 },
      statusCode: 410,
      startedAgo: 5,
      expected: { status: 'active', reason: null },
    },
    {
      title: 'a response with another status changes nothing by itself',
      endpoint: { status: 'active' },
      statusCode: 404,
      expected: { status: 'active', reason: null },
    },
    {
      title: 'failures in a row make an active endpoint failing',
      endpoint: { status: 'active' },
      traffic: { failures: 7 },
      statusCode: 500,
      newStatus: 'failing',
      expected: { status: 'failing', reason: FAILING },
    },
    {
      title: 'an endpoint does not become failing if an attempt has succeeded since',
      endpoint: { status: 'active' },
      traffic: { failures: 0 },
      statusCode: 500,
      newStatus: 'failing',
      expected: { status: 'active', reason: null },
    },
    {
      title: 'failures never enable a disabled endpoint as failing',
      endpoint: { status: 'disabled' },
      traffic: { failures: 7 },
      statusCode: 500,
      newStatus: 'failing',
      expected: { status: 'disabled', reason: null },
    },
    {
      title: 'failures for days disable a failing endpoint',
      endpoint: { status: 'failing' },
      traffic: { failures: 40 },
      statusCode: 500,
      newStatus: 'disabled',
      expected: { status: 'disabled', reason: DISABLED },
    },
    {
      title: 'failures for days do not disable an endpoint if an attempt has succeeded since',
      endpoint: { status: 'failing' },
      traffic: { failures: 0 },
      statusCode: 500,
      newStatus: 'disabled',
      expected: { status: 'failing', reason: null },
    },
    {
      title: 'a success makes a failing endpoint active',
      endpoint: { status: 'failing' },
      traffic: { failures: 0 },
      statusCode: 204,
      newStatus: 'active',
      expected: { status: 'active', reason: 'An attempt succeeded.' },
    },
    {
      title: 'an endpoint does not become active if an attempt has failed since',
      endpoint: { status: 'failing' },
      traffic: { failures: 1 },
      statusCode: 204,
      newStatus: 'active',
      expected: { status: 'failing', reason: null },
    },
    {
      title: 'a success does not enable a disabled endpoint',
      endpoint: { status: 'disabled' },
      traffic: { failures: 0 },
      statusCode: 204,
      newStatus: 'active',
      expected: { status: 'disabled', reason: null },
    },
  ])(
    '$title',
    async ({ statusCode, url = URL, startedAgo = 0, newStatus, expected, ...before }) => {
      const endpoint = await database.prepare(before);
      const updates = database.get(StatusUpdates);
      updates.add(
        {
          endpointId: endpoint.id,
          url,
          statusCode,
          error: 'the status was 500',
          startedAt: database.dateAt(-startedAgo),
        },
        newStatus && {
          shouldClaimNext: false,
          health: 'failing',
          newStatus,
          consecutiveFailures: 7,
          failingSince: new Date('2026-01-01T00:00:00Z'),
        },
      );
      await updates.flush();
      const { status, reason } = expected;
      const after = await endpoint.read();
      expect(after.endpoint).toMatchObject({ status, status_reason: reason });
      expect(await listTransitions(endpoint.id)).toEqual(
        reason === null ? [] : [{ sequence: 1, status, reason }],
      );
      expect(await listEvents(endpoint.id)).toEqual(
        reason === null
          ? []
          : [{ kind: `webhook.${status}`, sequence: 1, workspace_id: endpoint.workspaceId }],
      );
    },
  );

  it('an update that fails does not hold up the next one', async () => {
    const endpoint = await database.prepare({ endpoint: { status: 'active' } });
    const updates = database.get(StatusUpdates);
    const gone = { url: URL, statusCode: 410, error: null, startedAt: database.dateAt(0) };
    updates.add({ ...gone, endpointId: 'no id' }, undefined);
    updates.add({ ...gone, endpointId: endpoint.id }, undefined);
    await updates.flush();
    expect((await endpoint.read()).endpoint).toMatchObject({ status: 'disabled' });
  });
});
