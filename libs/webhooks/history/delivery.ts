import { parseJsonTimes, type Query } from '#database';
import type { EventKind } from '#events';
import type { AttemptStage } from '../sending/attempt-errors.js';
import { selectBreaker } from '../traffic/endpoint-traffic.js';

const pendingStatuses = ['pending', 'held'] as const;
export const finishedStatuses = ['delivered', 'failed', 'cancelled'] as const;
export const deliveryStatuses = [...pendingStatuses, ...finishedStatuses] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** The delivery of one event to one endpoint. */
export interface Delivery {
  id: string;
  /** The `webhook-id` header of every attempt. */
  eventId: string;
  event: EventKind;
  resourceId: string;
  sequence: number;
  /** `held` while the endpoint is disabled. */
  status: DeliveryStatus;
  attempts: number;
  createdAt: Date;
  /**
   * The earliest time of the next attempt; null if the delivery is finished or held, or waits for an
   * earlier delivery of its resource.
   */
  nextAttemptAt: Date | null;
  finishedAt: Date | null;
  /** Null before the first attempt is recorded. */
  lastAttempt: AttemptSummary | null;
}

export interface AttemptSummary {
  startedAt: Date;
  durationMs: number;
  statusCode: number | null;
  /** The stage in which the attempt failed; null after a success. */
  stage: AttemptStage | null;
  error: string | null;
}

export interface LoggedAttempt extends AttemptSummary {
  /** Null if nothing was sent, or if the attempt was made before Galley recorded URLs. */
  url: string | null;
  requestHeaders: Record<string, string> | null;
  responseHeaders: Record<string, string> | null;
  /** At most the first 16 KiB of the body. */
  responseBody: string | null;
}

export interface DeliveryDetails extends Delivery {
  /** The URL of the last request; if there was no request, the URL of the endpoint. */
  url: string;
  /** The body that every attempt sends, byte for byte; null if the event is no longer kept. */
  requestBody: string | null;
  attemptsMade: LoggedAttempt[];
}

const SHARED_COLUMNS = `delivery.id, delivery.event_id AS "eventId", delivery.kind AS event,
  delivery.resource_id AS "resourceId", delivery.sequence, delivery.attempts,
  delivery.event_relayed_at AS "createdAt", delivery.event_position AS position`;

export const SELECT_PENDING = `SELECT ${SHARED_COLUMNS}, NULL::timestamptz AS occurred_at, NULL::json AS data,
    CASE endpoint.status WHEN 'disabled' THEN 'held' ELSE 'pending' END AS status,
    CASE WHEN endpoint.status <> 'disabled' AND delivery.due_at < 'infinity'
      THEN greatest(delivery.due_at, breaker.open_until, now()) END AS "nextAttemptAt",
    NULL::timestamptz AS "finishedAt"
  FROM webhook_deliveries delivery CROSS JOIN LATERAL (
    ${selectBreaker('endpoint.id')}
  ) breaker WHERE delivery.endpoint_id = endpoint.id`;

export const SELECT_FINISHED = `SELECT ${SHARED_COLUMNS}, NULL::timestamptz, NULL::json, delivery.status, NULL::timestamptz AS "nextAttemptAt",
    delivery.finished_at AS "finishedAt"
  FROM webhook_delivery_log delivery WHERE delivery.endpoint_id = endpoint.id`;

/**
 * Selects test events that have not been relayed yet, as if they were deliveries. The relay later creates each delivery
 * with the id of its test event.
 */
export const SELECT_UNRELAYED_TEST = `SELECT delivery.id, delivery.id AS "eventId", delivery.kind AS event,
    delivery.resource_id AS "resourceId", delivery.sequence, 0 AS attempts,
    delivery.occurred_at AS "createdAt", NULL::bigint AS position,
    delivery.occurred_at, delivery.data,
    CASE endpoint.status WHEN 'disabled' THEN 'held' ELSE 'pending' END AS status,
    CASE WHEN endpoint.status <> 'disabled' THEN now() END AS "nextAttemptAt",
    NULL::timestamptz AS "finishedAt"
  FROM outbox delivery WHERE delivery.endpoint_id = endpoint.id`;

/** Joins the last attempt of `delivery`, using the primary key. */
export const JOIN_LAST_ATTEMPT = `LEFT JOIN LATERAL (
    SELECT json_build_object('startedAt', started_at, 'durationMs', duration_ms,
      'statusCode', status_code, 'stage', stage, 'error', error) AS "lastAttempt"
    FROM webhook_attempts WHERE delivery_id = delivery.id ORDER BY claim DESC LIMIT 1
  ) attempt ON true`;

/** The columns of a delivery. `delivery` is the alias that the caller gives to one of the SELECTs above. */
export const DELIVERY_COLUMNS = `delivery.id, delivery."eventId", delivery.event, delivery."resourceId",
  delivery.sequence, delivery.attempts, delivery."createdAt", delivery.status,
  delivery."nextAttemptAt", delivery."finishedAt"`;

/** Loads the pending delivery that a request has just changed, so that the response can show it. */
export async function readPendingDelivery(
  query: Query,
  endpointId: string,
  id: string,
): Promise<Delivery> {
  const [row] = await query<Delivery>(
    `SELECT ${DELIVERY_COLUMNS}, attempt."lastAttempt" FROM webhook_endpoints endpoint
     CROSS JOIN LATERAL (${SELECT_PENDING} AND delivery.id = $2) delivery ${JOIN_LAST_ATTEMPT}
     WHERE endpoint.id = $1`,
    [endpointId, id],
  );
  if (row === undefined) throw new Error('A delivery vanished while its endpoint was locked.');
  return parseLastAttempt(row);
}

/** Converts the time in `lastAttempt` to a Date. PostgreSQL returns `lastAttempt` as JSON, which has no dates. */
export const parseLastAttempt = (delivery: Delivery): Delivery => ({
  ...delivery,
  lastAttempt: delivery.lastAttempt && parseJsonTimes(delivery.lastAttempt, 'startedAt'),
});
