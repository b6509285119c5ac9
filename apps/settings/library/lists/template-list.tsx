import { listTemplates, type ListedTemplate } from '#client';
import { getRouteApi } from '@tanstack/react-router';
import { useClient } from '../../api/client.js';
import { useWorkspaceId } from '../../api/workspaces.js';
import { LinkAnchor } from '../../controls/links.js';
import { Page } from '../../controls/page.js';
import { RelativeTime } from '../../controls/relative-time.js';
import { readMatchingPage, useCursorList } from '../../lists/cursor-list.js';
import type { Column } from '../../lists/list-table.js';
import { texts } from '../../texts/index.js';
import { isFiltered, parseTemplateSearch } from '../library-search.js';
import { AddSamples } from '../samples/add-samples.js';
import { TagLinks } from '../tags/tag-links.js';
import { LibraryFilters } from './library-filters.js';
import { LibraryTable } from './library-table.js';
import { PublishedFilter } from './published-filter.js';

const templatesApi = getRouteApi('/w/$workspaceId/templates');

export function TemplateList() {
  const client = useClient();
  const workspaceId = useWorkspaceId();
  const filters = templatesApi.useSearch();
  const navigate = templatesApi.useNavigate();
  const templates = useCursorList({
    queryKey: ['templates', workspaceId, filters],
    fetchPage: (firstCursor, signal) =>
      readMatchingPage(async (cursor) => {
        const query = { workspaceId, content: false, ...filters, ...(cursor && { cursor }) };
        return (await listTemplates({ client, query, signal })).data;
      }, firstCursor),
  });
  const change = (newFilters: object) =>
    void navigate({ search: parseTemplateSearch({ ...filters, ...newFilters }), replace: true });
  const clear = () => void navigate({ search: {} });
  return (
    <Page title={texts.navigation.templates}>
      <LibraryFilters filters={filters} onChange={change} onClear={clear}>
        <PublishedFilter filters={filters} onChange={change} />
      </LibraryFilters>
      <LibraryTable
        label={texts.library.templatesLabel}
        list={templates}
        columns={COLUMNS}
        isFiltered={isFiltered(filters)}
        search={filters.search}
        onClearFilters={clear}
        empty={{
          title: texts.library.noTemplatesTitle,
          text: texts.library.noTemplatesText,
          children: <AddSamples />,
        }}
      />
    </Page>
  );
}

const { columns } = texts.library;
const COLUMNS: Column<ListedTemplate>[] = [
  {
    header: columns.name,
    cell: ({ id, name, tags, workspaceId }) => (
      <>
        <LinkAnchor
          to="/w/$workspaceId/templates/$documentId"
          params={{ workspaceId, documentId: id }}
          size="sm"
          fw={600}
        >
          {name}
        </LinkAnchor>
        <TagLinks workspaceId={workspaceId} section="templates" tags={tags} />
      </>
    ),
  },
  { header: columns.version, cell: ({ version }) => version, width: 100 },
  {
    header: columns.updated,
    cell: ({ updatedAt }) => <RelativeTime time={updatedAt} />,
    width: 170,
  },
  {
    header: columns.created,
    cell: ({ createdAt }) => <RelativeTime time={createdAt} />,
    width: 170,
  },
];
