/**
 * Releases the next ordered delivery of each resource whose delivery has finished. If replays have created several
 * deliveries of the next event, all of these deliveries are released.
 * @param finishedDeliveries the name of a CTE with the finished deliveries.
 */
export const releaseNextOrdered = (finishedDeliveries: string): string => `UPDATE webhook_deliveries
  SET due_at = now() WHERE ctid = ANY (ARRAY(
    SELECT next.ctid FROM ${finishedDeliveries} finished CROSS JOIN LATERAL (
      SELECT ctid, due_at FROM webhook_deliveries WHERE endpoint_id = finished.endpoint_id AND is_ordered
        AND resource_id = finished.resource_id AND event_position > finished.event_position
      ORDER BY event_position FETCH FIRST ROW WITH TIES
    ) next WHERE finished.is_ordered AND next.due_at = 'infinity'
  ))
  RETURNING endpoint_id`;
