import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Statistics, WebhookPage } from '#client';
import { createPartitionsSince } from '../../support/galley/database.js';
import { eventually } from '../../support/eventually.js';
import {
  ada,
  endpoint,
  galley,
  receiver,
  useSubscribedWorkspace,
  workspace,
} from '../../support/webhooks/subscribed-workspace.js';

const MINUTE_MS = 60 * 1_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Midnight in UTC, two days ago. */
const day = Math.floor(Date.now() / DAY_MS - 2) * DAY_MS;
const at = (hours: number, minutes = 0) => new Date(day + hours * HOUR_MS + minutes * MINUTE_MS);

useSubscribedWorkspace();

type Counts = Partial<Statistics['totals']> & { [column: `within_${number}`]: number };

const HISTOGRAM = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 15000];

/** Adds a row of five minutes, as the recorder writes it. */
async function addRow(subjectId: string, start: Date, counts: Counts): Promise<void> {
  await createPartitionsSince(galley.database, start);
  const zeros = Object.fromEntries(
    [
      ...(['attempts', 'delivered', 'failed', 'retried', 'longer'] as const),
      ...HISTOGRAM.map((bound) => `within_${bound}`),
    ].map((column) => [column, 0]),
  );
  const row = { subject_id: subjectId, interval_start: start, ...zeros, ...counts };
  const names = Object.keys(row);
  await galley.database.query(
    `INSERT INTO webhook_statistics (${names.join(', ')})
     VALUES (${names.map((_, index) => `$${index + 1}`).join(', ')})`,
    Object.values(row),
  );
}

const statsPath = (query = '') => `/api/webhooks/${endpoint.id}/stats${query}`;
const readStats = async (query: string) => (await ada.get<Statistics>(statsPath(query))).body;
const rangeOf = (from: Date, to: Date) => `?from=${from.toISOString()}&to=${to.toISOString()}`;

const NOTHING = { attempts: 0, delivered: 0, failed: 0, retried: 0, p50: null, p95: null };

describe('statistics', () => {
  beforeEach(async () => {
    await addRow(endpoint.id, at(1, 5), { attempts: 8, delivered: 8, within_128: 8 });
    await addRow(endpoint.id, at(1, 10), { attempts: 2, failed: 1, retried: 1, within_1024: 2 });
    await addRow(endpoint.id, at(13), { attempts: 4, delivered: 3, retried: 1, within_16: 3 });
    // These two rows are before and after the day.
    await addRow(endpoint.id, at(0, -5), { attempts: 100, delivered: 100 });
    await addRow(endpoint.id, at(24), { attempts: 100, delivered: 100 });
  });

  it('have every step of a range, also steps without attempts', async () => {
    const early = { attempts: 10, delivered: 8, failed: 1, retried: 1, p50: 99, p95: 861 };
    const late = { attempts: 4, delivered: 3, failed: 0, retried: 1, p50: 11, p95: 15 };
    expect(await readStats(`${rangeOf(at(0), at(24))}&step=6h`)).toEqual({
      from: at(0).toISOString(),
      to: at(24).toISOString(),
      step: '6h',
      data: [
        { at: at(0).toISOString(), ...early },
        { at: at(6).toISOString(), ...NOTHING },
        { at: at(12).toISOString(), ...late },
        { at: at(18).toISOString(), ...NOTHING },
      ],
      totals: { attempts: 14, delivered: 11, failed: 1, retried: 2, p50: 87, p95: 817 },
    });
  });

  it('begin and end with whole steps', async () => {
    const { from, to, data } = await readStats(`${rangeOf(at(1, 7), at(1, 12))}&step=5m`);
    expect([from, to]).toEqual([at(1, 5).toISOString(), at(1, 15).toISOString()]);
    expect(data.map(({ attempts }) => attempts)).toEqual([8, 2]);
  });

  it('are those of the last 24 hours by default', async () => {
    const { from, to, step, data } = await readStats('');
    expect(step).toBe('15m');
    expect(data).toHaveLength((Date.parse(to) - Date.parse(from)) / (15 * MINUTE_MS));
    expect(Date.parse(to)).toBeGreaterThan(Date.now() - MINUTE_MS);
    expect(Date.parse(to) - Date.parse(from)).toBeGreaterThanOrEqual(DAY_MS);
  });

  it('of a workspace do not depend on which webhooks it still has', async () => {
    await addRow(workspace.id, at(1, 5), { attempts: 9, delivered: 9 });
    await ada.delete(`/api/webhooks/${endpoint.id}`);
    const path = `/api/webhooks/stats${rangeOf(at(0), at(24))}&workspaceId=${workspace.id}`;
    const { body } = await ada.get<Statistics>(path);
    expect(body.totals).toMatchObject({ attempts: 9, delivered: 9 });
    expect((await ada.get(statsPath())).status).toBe(404);
  });

  it.each([
    ['?from=yesterday', 'from must be a time such as 2026-11-21T09:30:00Z, from 2020 to 2099'],
    ['?step=2h', 'step must be one of 5m, 15m, 1h, 6h, 1d'],
    ['?from=2026-11-21T10:00:00Z&to=2026-11-21T10:00:00Z', 'from must be before to'],
    [
      '?from=2025-01-01T00:00:00Z&to=2026-11-21T00:00:00Z',
      'from must be at most 400 days before to',
    ],
    [
      '?from=2026-11-01T00:00:00Z&to=2026-11-21T00:00:00Z&step=15m',
      'step must be longer: this range has 1920 steps of 15m, and at most 400 are returned',
    ],
    ['?limit=3', 'limit is not a query parameter of this request'],
  ])('are refused with %s', async (query, message) => {
    const { status, body } = await ada.get<{ message: string }>(statsPath(query));
    expect([status, body.message.replace(/\.$/, '')]).toEqual([400, message]);
  });
});

describe('the list of webhooks', () => {
  const listed = async (query: string) => {
    const path = `/api/webhooks?workspaceId=${workspace.id}${query}`;
    return (await ada.get<WebhookPage>(path)).body.data[0];
  };

  it('has no statistics unless they are requested', async () => {
    expect(await listed('')).not.toHaveProperty('stats');
    expect(await listed('&stats=false')).not.toHaveProperty('stats');
  });

  it('has 24 hours and no failure for a webhook without attempts', async () => {
    const { stats } = (await listed('&stats=true')) ?? {};
    expect(stats).toMatchObject({ attempts: 0, delivered: 0, failed: 0, retried: 0 });
    expect(stats?.lastFailure).toBeNull();
    const hours = stats?.perHour.map(({ at }) => Date.parse(at)) ?? [];
    const currentHour = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
    expect(hours).toEqual(
      Array.from({ length: 24 }, (_, index) => currentHour - (23 - index) * HOUR_MS),
    );
  });

  it('has the counts of each hour', async () => {
    const currentHour = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
    const hoursAgo = (hours: number, minutes = 0) =>
      new Date(currentHour - hours * HOUR_MS + minutes * MINUTE_MS);
    await addRow(endpoint.id, hoursAgo(24, 55), { attempts: 50, delivered: 50 });
    await addRow(endpoint.id, hoursAgo(23), { attempts: 3, delivered: 2, failed: 1 });
    await addRow(endpoint.id, hoursAgo(23, 55), { attempts: 5, delivered: 4, retried: 1 });
    await addRow(endpoint.id, hoursAgo(0), { attempts: 1, delivered: 1 });
    const { stats } = (await listed('&stats=true')) ?? {};
    expect(stats).toMatchObject({ attempts: 9, delivered: 7, failed: 1, retried: 1 });
    expect(stats?.perHour[0]).toMatchObject({ delivered: 6, failed: 1, retried: 1 });
    expect(stats?.perHour[23]).toMatchObject({ delivered: 1, failed: 0 });
  });

  it('has the last failure, and keeps it after a success', async () => {
    receiver.reaction = (_notification, count) => (count === 1 ? 503 : 204);
    await ada.post('/api/templates', { name: 'Welcome', workspaceId: workspace.id });
    const [delivery] = await eventually('a failure and a success', async () => {
      const { body } = await ada.get<{ data: { id: string; status: string }[] }>(
        `/api/webhooks/${endpoint.id}/deliveries`,
      );
      return body.data[0]?.status === 'delivered' && body.data;
    });
    const { stats } = (await listed('&stats=true')) ?? {};
    expect(stats).toMatchObject({ attempts: 2, delivered: 1, failed: 0, retried: 1 });
    const { body } = await ada.get<{ attemptsMade: { startedAt: string; durationMs: number }[] }>(
      `/api/webhooks/${endpoint.id}/deliveries/${delivery?.id}`,
    );
    const { startedAt = '', durationMs = 0 } = body.attemptsMade[0] ?? {};
    expect(stats?.lastFailure).toMatchObject({
      at: new Date(Date.parse(startedAt) + durationMs).toISOString(),
      deliveryId: delivery?.id,
      stage: 'status',
      statusCode: 503,
      error: 'the response status was 503',
    });
  });

  it('does not change an ETag', async () => {
    const etag = async () => (await ada.get(`/api/webhooks/${endpoint.id}`)).headers.get('etag');
    const before = await etag();
    await addRow(endpoint.id, at(30), { attempts: 1, delivered: 1 });
    await listed('&stats=true');
    expect(await etag()).toBe(before);
  });

  it('accepts only true and false', async () => {
    const path = `/api/webhooks?workspaceId=${workspace.id}&stats=yes`;
    const { status, text } = await ada.get(path);
    expect([status, text]).toEqual([400, expect.stringContaining('stats must be true or false')]);
  });
});
