import { Skeleton, Stack } from '@mantine/core';
import { QueryState, RowsSkeleton } from '../../controls/states.js';
import { useDocument, useLatestVersion } from '../use-document.js';
import { ExpandableDocument, useIsExpanded } from './expandable-document.js';
import { words } from './texts.js';
import { VersionNote } from './version-note.js';

export function LatestVersion() {
  const read = useDocument({ isExpanded: useIsExpanded() });
  const { data: latest, isPending } = useLatestVersion();
  return (
    <Stack gap="md">
      {isPending ? <Skeleton h={30} w={160} /> : latest && <VersionNote entry={latest} />}
      <QueryState query={read} skeleton={<RowsSkeleton rows={1} height={400} />}>
        {({ document }) => <ExpandableDocument title={words.latestDocument} {...document} />}
      </QueryState>
    </Stack>
  );
}
