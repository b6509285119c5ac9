import { listModules, type ListedModule } from '#client';
import { Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useClient } from '../../api/client.js';
import { useWorkspaceId } from '../../api/workspaces.js';
import { LinkAnchor } from '../../controls/links.js';
import { Page } from '../../controls/page.js';
import { RelativeTime } from '../../controls/relative-time.js';
import { readMatchingPage, useCursorList } from '../../lists/cursor-list.js';
import { FilterText } from '../../lists/filter-bar.js';
import type { Column } from '../../lists/list-table.js';
import { texts } from '../../texts.js';
import { isFiltered, parseModuleSearch } from '../library-search.js';
import { TagLinks } from '../tag-parts.js';
import { libraryTexts } from '../texts.js';
import { LibraryFilters } from './library-filters.js';
import { LibraryTable } from './library-table.js';
import { words } from './texts.js';

const modulesApi = getRouteApi('/w/$workspaceId/modules');

export function ModuleList() {
  const client = useClient();
  const workspaceId = useWorkspaceId();
  const filters = modulesApi.useSearch();
  const navigate = modulesApi.useNavigate();
  const modules = useCursorList({
    queryKey: ['modules', workspaceId, filters],
    fetchPage: (firstCursor, signal) =>
      readMatchingPage(async (cursor) => {
        const query = { workspaceId, content: false, ...filters, ...(cursor && { cursor }) };
        return (await listModules({ client, query, signal })).data;
      }, firstCursor),
  });
  const change = (newFilters: object) =>
    void navigate({ search: parseModuleSearch({ ...filters, ...newFilters }), replace: true });
  const clear = () => void navigate({ search: {} });
  return (
    <Page title={texts.navigation.modules}>
      <LibraryFilters filters={filters} onChange={change} onClear={clear}>
        <FilterText
          label={words.categoryLabel}
          placeholder={words.categoryPlaceholder}
          maxLength={100}
          value={filters.category ?? ''}
          onChange={(category) => change({ category })}
        />
      </LibraryFilters>
      <LibraryTable
        label={words.modulesLabel}
        list={modules}
        columns={COLUMNS}
        isFiltered={isFiltered(filters)}
        search={filters.search}
        onClearFilters={clear}
        empty={{ title: words.noModulesTitle, text: words.noModulesText }}
      />
    </Page>
  );
}

const { columns } = words;
const COLUMNS: Column<ListedModule>[] = [
  {
    header: columns.name,
    cell: ({ id, name, description, tags, workspaceId }) => (
      <>
        <LinkAnchor
          to="/w/$workspaceId/modules/$documentId"
          params={{ workspaceId, documentId: id }}
          size="sm"
          fw={600}
        >
          {name}
        </LinkAnchor>
        <Text size="sm" lineClamp={2}>
          {description}
        </Text>
        <TagLinks workspaceId={workspaceId} section="modules" tags={tags} />
      </>
    ),
  },
  {
    header: columns.category,
    cell: ({ category, workspaceId }) =>
      category === '' ? (
        libraryTexts.noCategory
      ) : (
        <LinkAnchor
          to="/w/$workspaceId/modules"
          params={{ workspaceId }}
          search={{ category }}
          size="sm"
        >
          {category}
        </LinkAnchor>
      ),
    width: 170,
  },
  {
    header: columns.updated,
    cell: ({ updatedAt }) => <RelativeTime time={updatedAt} />,
    width: 170,
  },
];
