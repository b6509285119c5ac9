import type { Query } from '#database';
import type { EventKind } from '#events';
import type { Stage } from './attempt-errors.js';

const pendingStatuses = ['pending', 'held'] as const;
export const finishedStatuses = ['delivered', 'failed', 'cancelled'] as const;
export const deliveryStatuses = [...pendingStatuses, ...finishedStatuses] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** One event on its way to one endpoint. */
export interface Delivery {
  id: string;
  /** `webhook-id` of every attempt. */
  eventId: string;
  event: EventKind;
  resourceId: string;
  sequence: number;
  /** `held` while the endpoint is disabled. */
  status: DeliveryStatus;
  attempts: number;
  createdAt: Date;
  /** Not before; null when it is held, or waits for an earlier one of its resource. */
  nextAttemptAt: Date | null;
  finishedAt: Date | null;
  /** Null before the first attempt is recorded. */
  lastAttempt: AttemptOutcome | null;
}

export interface AttemptOutcome {
  startedAt: Date;
  durationMs: number;
  statusCode: number | null;
  /** Where it failed, and how; null after a success. */
  stage: Stage | null;
  error: string | null;
}

export interface LoggedAttempt extends AttemptOutcome {
  /** Null if nothing was sent, and for attempts from before URLs were recorded. */
  url: string | null;
  requestHeaders: Record<string, string> | null;
  responseHeaders: Record<string, string> | null;
  /** The first 16 KiB at most. */
  responseBody: string | null;
}

export interface DeliveryDetails extends Delivery {
  /** Of the last request, or if there was none, where the next one goes. */
  url: string;
  /** Exactly the bytes that every attempt sends; null when the event is no longer kept. */
  requestBody: string | null;
  attemptsMade: LoggedAttempt[];
}

const shared = `delivery.id, delivery.event_id AS "eventId", delivery.kind AS event,
  delivery.resource_id AS "resourceId", delivery.sequence, delivery.attempts,
  delivery.event_relayed_at AS "createdAt", delivery.event_position AS position`;

export const pending = `SELECT ${shared}, NULL::timestamptz AS occurred_at, NULL::json AS data,
    CASE endpoint.status WHEN 'disabled' THEN 'held' ELSE 'pending' END AS status,
    CASE WHEN endpoint.status <> 'disabled' AND delivery.due_at < 'infinity'
      THEN greatest(delivery.due_at, flow.open_until, now()) END AS "nextAttemptAt",
    NULL::timestamptz AS "finishedAt"
  FROM webhook_deliveries delivery CROSS JOIN LATERAL (
    SELECT open_until FROM webhook_flows WHERE endpoint_id = endpoint.id LIMIT 1
  ) flow WHERE delivery.endpoint_id = endpoint.id`;

export const finished = `SELECT ${shared}, NULL::timestamptz, NULL::json, delivery.status, NULL::timestamptz AS "nextAttemptAt",
    delivery.finished_at AS "finishedAt"
  FROM webhook_delivery_log delivery WHERE delivery.endpoint_id = endpoint.id`;

/** A test that the relay has not seen yet; its delivery will have the id of its event. */
export const announced = `SELECT delivery.id, delivery.id AS "eventId", delivery.kind AS event,
    delivery.resource_id AS "resourceId", delivery.sequence, 0 AS attempts,
    delivery.occurred_at AS "createdAt", NULL::bigint AS position,
    delivery.occurred_at, delivery.data,
    CASE endpoint.status WHEN 'disabled' THEN 'held' ELSE 'pending' END AS status,
    CASE WHEN endpoint.status <> 'disabled' THEN now() END AS "nextAttemptAt",
    NULL::timestamptz AS "finishedAt"
  FROM outbox delivery WHERE delivery.endpoint_id = endpoint.id`;

/** The last attempt of `delivery`, which is found by its primary key. */
export const lastAttempt = `LEFT JOIN LATERAL (
    SELECT json_build_object('startedAt', started_at, 'durationMs', duration_ms,
      'statusCode', status_code, 'stage', stage, 'error', error) AS "lastAttempt"
    FROM webhook_attempts WHERE delivery_id = delivery.id ORDER BY claim DESC LIMIT 1
  ) attempt ON true`;

/** Of `delivery`, one of the sources above. */
export const columns = `delivery.id, delivery."eventId", delivery.event, delivery."resourceId",
  delivery.sequence, delivery.attempts, delivery."createdAt", delivery.status,
  delivery."nextAttemptAt", delivery."finishedAt"`;

/** A delivery that is pending, for the answer to a change of it. */
export async function readPending(query: Query, endpointId: string, id: string): Promise<Delivery> {
  const [row] = await query<Delivery>(
    `SELECT ${columns}, attempt."lastAttempt" FROM webhook_endpoints endpoint
     CROSS JOIN LATERAL (${pending} AND delivery.id = $2) delivery ${lastAttempt}
     WHERE endpoint.id = $1`,
    [endpointId, id],
  );
  if (row === undefined) throw new Error('A delivery vanished while its flow was locked.');
  return withTimes(row);
}

/** JSON knows no times. */
export const withTimes = ({ lastAttempt, ...delivery }: Delivery): Delivery => ({
  ...delivery,
  lastAttempt: lastAttempt && { ...lastAttempt, startedAt: new Date(lastAttempt.startedAt) },
});
