import { partitionsBetween } from '#database';
import { compare, interleave, type Row } from '../figures.js';
import { requestsPerSecond } from '../load.js';
import type { Harness } from '../harness.js';
import { GalleyDeliveries } from './galley-deliveries.js';

/** The two rows 13: deliveries and the delivery log are as fast with millions of old rows as with none. */
export async function* historyRows(harness: Harness): AsyncGenerator<Row> {
  const old = await GalleyDeliveries.start(harness, harness.queue);
  const young = await GalleyDeliveries.start(harness, harness.queue);
  const past = harness.scale.quick ? 1_000_000 : 10_000_000;
  await addHistory(old, past);
  const count = harness.scale.quick ? 2_000 : 10_000;
  const rates = await interleave(harness.scale.rounds, {
    old: () => old.perSecond(count),
    young: () => young.perSecond(count),
  });
  const size = past.toLocaleString('en');
  yield {
    number: '13 (rate)',
    what: `deliver, with ${size} old events and attempts`,
    baseline: 'with none',
    unit: 'deliveries/s',
    ...compare(rates.old, rates.young),
    target: { atLeast: 0.9 },
  };
  const pages = await interleave(harness.scale.rounds, {
    old: () => logPages(old, harness.scale.seconds),
    young: () => logPages(young, harness.scale.seconds),
  });
  await Promise.all([old.stop(), young.stop()]);
  yield {
    number: '13 (log)',
    what: `first page of the log, with ${size} old deliveries`,
    baseline: 'with none',
    unit: 'requests/s',
    ...compare(pages.old, pages.young),
    target: { atLeast: 0.5 },
  };
}

// Rows that one statement adds; a larger statement would not fit into memory.
const BATCH = 250_000;
const WEEKS = 4;

/** Adds old events, attempts and finished deliveries to the only endpoint, spread over four weeks. */
async function addHistory({ galley: { database } }: GalleyDeliveries, count: number) {
  const begin = new Date(Date.now() - WEEKS * 7 * 24 * 60 * 60 * 1000);
  for (const [name, statement] of partitionsBetween(begin, new Date())) {
    const [{ exists } = { exists: true }] = await database.query<{ exists: boolean }>(
      'SELECT to_regclass($1) IS NOT NULL AS exists',
      [name],
    );
    if (!exists) await database.query(statement);
  }
  for (let done = 0; done < count; done += BATCH) {
    await database.query(
      `WITH old AS MATERIALIZED (
         SELECT number - $2::integer AS position, endpoint.id AS endpoint_id,
           endpoint.workspace_id, uuidv7() AS event_id, uuidv7() AS resource_id,
           uuidv7_at(at) AS id, at
         FROM webhook_endpoints endpoint, generate_series($3::integer + 1, $3::integer + ${BATCH}) number,
           LATERAL (
             SELECT $1::timestamptz + (now() - $1::timestamptz) * (number::float8 / $2::integer)
           ) moment (at)
       ), event AS (
         INSERT INTO events
         SELECT workspace_id, position, event_id, 'template.created', resource_id, 1,
           json_build_object('id', resource_id, 'name', 'Welcome'), at, at FROM old
       ), attempt AS (
         INSERT INTO webhook_attempts (delivery_id, claim, started_at, duration_ms, status_code,
           request_headers, response_headers, response_body)
         SELECT id, 1, at, 5, 204, '{"content-type":"application/json"}', '{"date":"then"}', ''
         FROM old
       )
       INSERT INTO webhook_delivery_log (endpoint_id, id, workspace_id, event_position,
         event_relayed_at, event_id, kind, resource_id, sequence, status, attempts)
       SELECT endpoint_id, id, workspace_id, position, at, event_id, 'template.created',
         resource_id, 1, 'delivered', 1 FROM old`,
      [begin, count, done],
    );
  }
  await database.query('VACUUM ANALYZE events, webhook_attempts, webhook_delivery_log');
}

async function logPages({ galley }: GalleyDeliveries, seconds: number): Promise<number> {
  const { body } = await galley.client.get<{ data: { id: string }[] }>(
    `/api/webhooks?workspaceId=${galley.workspaceId}`,
  );
  const url = `${galley.url}/api/webhooks/${body.data[0]?.id}/deliveries`;
  return requestsPerSecond({ url, method: 'GET', token: galley.token }, seconds);
}
