/**
 * The body of a notification: an object with exactly `event`, `timestamp` and `data`. Galley signs and sends
 * the bytes of this text.
 */
export function buildNotificationBody({
  kind,
  occurredAt,
  data,
}: {
  kind: string;
  occurredAt: Date | null;
  /** JSON, exactly as it was in the outbox; null if the event is no longer kept. */
  data: string | null;
}): string | undefined {
  if (data === null) return undefined;
  const event = JSON.stringify(kind);
  const timestamp = JSON.stringify(occurredAt);
  return `{"event":${event},"timestamp":${timestamp},"data":${data}}`;
}
