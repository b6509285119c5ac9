/** Exactly `event`, `timestamp` and `data`; these very bytes are signed and sent. */
export function notificationBody({
  kind,
  occurredAt,
  data,
}: {
  kind: string;
  occurredAt: Date | null;
  /** JSON, as the outbox held it; null when the event is no longer kept. */
  data: string | null;
}): string | undefined {
  if (data === null) return undefined;
  const event = JSON.stringify(kind);
  const timestamp = JSON.stringify(occurredAt);
  return `{"event":${event},"timestamp":${timestamp},"data":${data}}`;
}
