import { Skeleton, Stack } from '@mantine/core';
import { texts } from '../texts/index.js';

/** The shape of a view with a title and rows, while the rows load. */
export function PageSkeleton({ rows = 6 }: { rows?: number }) {
  return (
    <Stack gap="sm" aria-busy aria-label={texts.common.loading} role="status">
      <Skeleton h={34} w={200} mb="md" />
      <RowsSkeleton rows={rows} />
    </Stack>
  );
}

export function RowsSkeleton({ rows, height = 52 }: { rows: number; height?: number }) {
  return (
    <Stack gap="xs">
      {Array.from({ length: rows }, (_, index) => (
        <Skeleton key={index} h={height} />
      ))}
    </Stack>
  );
}
