import { healthOfFlow } from './endpoint-health.js';

// What BullMQ and PostgreSQL need to keep one fast receiver busy; more would only wait there.
export const LARGEST_WINDOW = 100;

// How long a job is trusted to turn up, and the endpoint to get a slot. After that another job is put
// in, which does no harm but makes the queue longer.
export const QUEUED_FOR = '20 seconds';
// Endpoints that are not healthy share few slots, and may wait long for one.
const NOT_HEALTHY_QUEUED_FOR = '1 minute';

/** SQL of how long a queued endpoint is trusted to be looked at. */
export const queuedFor = (flow: string): string =>
  `CASE WHEN ${healthOfFlow(flow)} = 'healthy' THEN interval '${QUEUED_FOR}'
    ELSE interval '${NOT_HEALTHY_QUEUED_FOR}' END`;

/** Whoever changes an endpoint's deliveries holds this first, so that they see each other's work. */
export const LOCK_FLOWS = `SELECT FROM webhook_flows
  WHERE endpoint_id = ANY ($1::uuid[]) ORDER BY endpoint_id FOR UPDATE`;

/**
 * Of each of these rows, which are over, the next one of its resource need wait no longer. It may
 * be several of the same event: a replay makes more of them.
 */
export const releaseNext = (rows: string) => `UPDATE webhook_deliveries SET due_at = now()
  WHERE ctid = ANY (ARRAY(
    SELECT next.ctid FROM ${rows} past CROSS JOIN LATERAL (
      SELECT ctid, due_at FROM webhook_deliveries WHERE endpoint_id = past.endpoint_id AND is_ordered
        AND resource_id = past.resource_id AND event_position > past.event_position
      ORDER BY event_position FETCH FIRST ROW WITH TIES
    ) next WHERE past.is_ordered AND next.due_at = 'infinity'
  ))
  RETURNING endpoint_id`;
