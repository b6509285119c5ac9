import { Box, Text, Title } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { QueryState, RowsSkeleton } from '../../controls/states.js';
import { FilterText } from '../../lists/filter-bar.js';
import { LoadMore } from '../../lists/list-table.js';
import { texts } from '../../texts/index.js';
import { useVersions } from '../kinds/use-document.js';
import { parseDocumentSearch } from '../library-search.js';
import { VersionEntry } from './version-entry.js';
import classes from './version-list.module.css';

const { library } = texts;

export function VersionList({ latestVersion }: { latestVersion: number }) {
  const search = parseDocumentSearch(useSearch({ strict: false }));
  const navigate = useNavigate();
  const versions = useVersions(search.label);
  const filter = (label: string) =>
    void navigate({ to: '.', search: parseDocumentSearch({ ...search, label }), replace: true });
  return (
    <section>
      <Title order={2} size="h4" mb="xs">
        {library.versions}
      </Title>
      {(latestVersion > 1 || search.label !== undefined) && (
        <FilterText
          mb="sm"
          label={library.labelFilter}
          placeholder={library.labelFilterPlaceholder}
          maxLength={100}
          value={search.label ?? ''}
          onChange={filter}
        />
      )}
      <QueryState query={versions} skeleton={<RowsSkeleton rows={3} height={88} />}>
        {(rows) =>
          rows.length === 0 ? (
            <Text size="sm">{library.noSuchLabel}</Text>
          ) : (
            <Box component="ol" className={classes['list']} aria-label={library.versionsLabel}>
              {rows.map((row) => (
                <VersionEntry
                  key={row.version}
                  entry={row}
                  isLatest={row.version === latestVersion}
                  search={search}
                />
              ))}
            </Box>
          )
        }
      </QueryState>
      <LoadMore list={versions} />
    </section>
  );
}
