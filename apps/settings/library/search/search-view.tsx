import { Flex, NativeSelect } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { Page } from '../../controls/page.js';
import { EmptyState } from '../../controls/states.js';
import { FilterText } from '../../lists/filter-bar.js';
import { texts } from '../../texts.js';
import { DOCUMENT_KINDS, parseQuerySearch } from '../library-search.js';
import { Results } from './results.js';
import { words } from './texts.js';

const searchApi = getRouteApi('/w/$workspaceId/search');

const KINDS = [
  { value: '', label: words.anyKind },
  ...DOCUMENT_KINDS.map((kind) => ({ value: kind, label: words.kinds[kind] })),
];

/** Finds templates and modules by the words in their names and content. */
export function SearchView() {
  const { query, kind } = searchApi.useSearch();
  const navigate = searchApi.useNavigate();
  const change = (changes: { query?: string; kind?: string }) =>
    void navigate({ search: parseQuerySearch({ query, kind, ...changes }), replace: true });
  return (
    <Page title={texts.navigation.search} documentTitle={query ?? texts.navigation.search}>
      <Flex direction={{ base: 'column', sm: 'row' }} gap="sm" mb="md">
        <FilterText
          flex={1}
          label={words.label}
          placeholder={words.placeholder}
          leftSection={<IconSearch size={16} />}
          maxLength={255}
          autoFocus
          value={query ?? ''}
          onChange={(typedQuery) => change({ query: typedQuery })}
        />
        <NativeSelect
          label={words.kindLabel}
          data={KINDS}
          value={kind ?? ''}
          onChange={({ currentTarget }) => change({ kind: currentTarget.value })}
        />
      </Flex>
      {query === undefined ? (
        <EmptyState title={words.startTitle} text={words.startText} />
      ) : (
        <Results query={query} {...(kind && { kind })} />
      )}
    </Page>
  );
}
