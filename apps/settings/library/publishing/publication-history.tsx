import type { Publication } from '#client';
import { NativeSelect, Text } from '@mantine/core';
import { useState } from 'react';
import { RelativeTime } from '../../controls/relative-time.js';
import { QueryState, RowsSkeleton } from '../../controls/states.js';
import { ListTable, LoadMore, type Column } from '../../lists/list-table.js';
import { useAuthors } from '../use-document.js';
import { VersionLink } from '../version-parts.js';
import { usePublicationHistory } from './publication-queries.js';
import { words } from './texts.js';

const { historyColumns: columns } = words;

/** The publication history of all environments or of one. */
export function PublicationHistory({ environments }: { environments: readonly string[] }) {
  const [environment, setEnvironment] = useState('');
  const history = usePublicationHistory(environment || undefined);
  const authorOf = useAuthors();
  const options = environments.map((name) => ({ value: name, label: name }));
  return (
    <>
      {environments.length > 1 && (
        <NativeSelect
          label={words.historyFilter}
          data={[{ value: '', label: words.allEnvironments }, ...options]}
          value={environment}
          onChange={({ currentTarget }) => setEnvironment(currentTarget.value)}
          maw={320}
          mb="sm"
        />
      )}
      <QueryState query={history} skeleton={<RowsSkeleton rows={3} />}>
        {(rows) =>
          rows.length === 0 ? (
            <Text size="sm">{words.noHistory}</Text>
          ) : (
            <ListTable
              label={words.historyTitle}
              columns={columnsFor(authorOf)}
              rows={rows}
              rowKey={({ id }) => id}
            />
          )
        }
      </QueryState>
      <LoadMore list={history} />
    </>
  );
}

const columnsFor = (authorOf: (userId: string) => string): Column<Publication>[] => [
  { header: columns.what, width: 190, cell: ({ version }) => <What version={version} /> },
  { header: columns.environment, width: 150, cell: ({ environment }) => environment },
  { header: columns.time, width: 150, cell: ({ at }) => <RelativeTime time={at} /> },
  { header: columns.by, width: 140, cell: ({ createdBy }) => authorOf(createdBy) },
  { header: columns.note, cell: ({ note }) => <PublicationNote note={note} /> },
];

function What({ version }: { version: number | null }) {
  if (version === null) return words.versionUnpublished;
  return (
    <VersionLink version={version} size="sm">
      {words.versionPublished(version)}
    </VersionLink>
  );
}

/** A note in a table. A long note is truncated, and its `title` contains the whole note. */
export const PublicationNote = ({ note }: { note: string }) => (
  <Text size="sm" lineClamp={3} title={note} style={{ overflowWrap: 'anywhere' }}>
    {note}
  </Text>
);
