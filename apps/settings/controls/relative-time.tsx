import { Text, Tooltip } from '@mantine/core';
import { useInterval } from '@mantine/hooks';
import { useState } from 'react';
import { formatExact, formatRelative } from './format.js';

const REFRESH_MS = 10_000;

/** Shows a time as "3 minutes ago" or "just now". A tooltip shows the exact time. */
export function RelativeTime({ time, inline }: { time: string | Date; inline?: boolean }) {
  const date = new Date(time);
  const difference = date.getTime() - useNow(REFRESH_MS);
  // `useNow` lags by up to REFRESH_MS. A time that seems to be less than REFRESH_MS ahead may have passed, so it counts
  // as now.
  const isNow = difference > 0 && difference < REFRESH_MS;
  return (
    <Tooltip label={formatExact(date)} openDelay={200}>
      <Text component="time" dateTime={date.toISOString()} size="sm" inherit={inline === true}>
        {formatRelative(isNow ? 0 : difference)}
      </Text>
    </Tooltip>
  );
}

/** Returns the current time, and re-renders the component at every interval. */
export function useNow(intervalMs: number): number {
  const [now, setNow] = useState(() => Date.now());
  useInterval(() => setNow(Date.now()), intervalMs, { autoInvoke: true });
  return now;
}
