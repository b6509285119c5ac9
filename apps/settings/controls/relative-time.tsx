import { Text, Tooltip } from '@mantine/core';
import { useInterval } from '@mantine/hooks';
import { useState } from 'react';
import { formatExact, formatRelative } from './format.js';

const REFRESH_MS = 10_000;

/** "3 minutes ago" or "just now", with the exact time on hover and for screen readers. */
export function RelativeTime({ time, inline }: { time: string | Date; inline?: boolean }) {
  const date = new Date(time);
  const difference = date.getTime() - useNow(REFRESH_MS);
  // `useNow` lags by up to REFRESH_MS. A time that is ahead of `useNow` by less may have passed already.
  const isNow = difference > 0 && difference < REFRESH_MS;
  return (
    <Tooltip label={formatExact(date)} openDelay={200}>
      <Text component="time" dateTime={date.toISOString()} size="sm" inherit={inline === true}>
        {formatRelative(isNow ? 0 : difference)}
      </Text>
    </Tooltip>
  );
}

/** The current time. A component that uses this hook renders again after each interval. */
export function useNow(intervalMs: number): number {
  const [now, setNow] = useState(() => Date.now());
  useInterval(() => setNow(Date.now()), intervalMs, { autoInvoke: true });
  return now;
}
