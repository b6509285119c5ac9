import { Text, Tooltip } from '@mantine/core';
import { formatExact, formatRelative } from './time-format.js';
import { useNow } from './use-now.js';

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
