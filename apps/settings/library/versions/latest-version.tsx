import { Skeleton, Stack } from '@mantine/core';
import { QueryState, RowsSkeleton } from '../../controls/states.js';
import { texts } from '../../texts/index.js';
import { ExpandableDocument } from '../document/expandable-document.js';
import { useIsExpanded } from '../document/use-is-expanded.js';
import { useDocument, useLatestVersion } from '../kinds/use-document.js';
import { VersionNote } from './version-note.js';

export function LatestVersion() {
  const read = useDocument({ isExpanded: useIsExpanded() });
  const { data: latest, isPending } = useLatestVersion();
  return (
    <Stack gap="md">
      {isPending ? <Skeleton h={30} w={160} /> : latest && <VersionNote entry={latest} />}
      <QueryState query={read} skeleton={<RowsSkeleton rows={1} height={400} />}>
        {({ document }) => (
          <ExpandableDocument title={texts.library.latestDocument} {...document} />
        )}
      </QueryState>
    </Stack>
  );
}
