import { Text, Tooltip } from '@mantine/core';
import { useInterval } from '@mantine/hooks';
import { useState } from 'react';
import { formatExact, formatRelative } from './format.js';

const REFRESH_MS = 10_000;

/** Shows a time as "3 minutes ago" or "just now", and the exact time on hover and to screen readers. */
export function RelativeTime({ time, inline }: { time: string | Date; inline?: boolean }) {
  const date = new Date(time);
  const difference = date.getTime() - useNow(REFRESH_MS);
  // `useNow` lags by up to REFRESH_MS, so a time that is less than that ahead may already have passed.
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
