/**
 * Builds the body of a notification, a JSON object with `event`, `timestamp` and `data`. Galley signs and sends the
 * returned text unchanged. Returns undefined if the event is no longer kept.
 */
export function buildNotificationBody({
  kind,
  occurredAt,
  data,
}: {
  kind: string;
  occurredAt: Date | null;
  /** The JSON text from the outbox, unchanged; null if the event is no longer kept. */
  data: string | null;
}): string | undefined {
  if (data === null) return undefined;
  const event = JSON.stringify(kind);
  const timestamp = JSON.stringify(occurredAt);
  return `{"event":${event},"timestamp":${timestamp},"data":${data}}`;
}
