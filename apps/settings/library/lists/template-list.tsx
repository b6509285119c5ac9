import { batchTemplates, listTemplates, type ListedTemplate } from '#client';
import { Button, NativeSelect } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useClient } from '../../api/client.js';
import { useHasRole, useWorkspaceId } from '../../api/workspaces.js';
import { LinkAnchor, LinkButton } from '../../controls/links.js';
import { Page } from '../../controls/page.js';
import { RelativeTime } from '../../controls/relative-time.js';
import { ErrorAlert } from '../../controls/states.js';
import { readMatchingPage, useCursorList } from '../../lists/cursor-list.js';
import type { Column } from '../../lists/list-table.js';
import { texts } from '../../texts.js';
import { useEnvironments } from '../../workspace/workspace-queries.js';
import {
  isEnvironment,
  isFiltered,
  parseTemplateSearch,
  type TemplateSearch,
} from '../library-search.js';
import { TagLinks } from '../tag-parts.js';
import { LibraryFilters } from './library-filters.js';
import { LibraryTable } from './library-table.js';
import { words } from './texts.js';

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
    <Page title={texts.navigation.templates} actions={<ImportLink />}>
      <LibraryFilters filters={filters} onChange={change} onClear={clear}>
        <PublishedFilter filters={filters} onChange={change} />
      </LibraryFilters>
      <LibraryTable
        label={words.templatesLabel}
        list={templates}
        columns={COLUMNS}
        isFiltered={isFiltered(filters)}
        search={filters.search}
        onClearFilters={clear}
        empty={{
          title: words.noTemplatesTitle,
          text: words.noTemplatesText,
          children: <AddSamples />,
        }}
      />
    </Page>
  );
}

/** Leads to the import of emails from other programs. Requires the `editor` role. */
function ImportLink() {
  const workspaceId = useWorkspaceId();
  if (!useHasRole('editor')) return null;
  return (
    <LinkButton to="/w/$workspaceId/templates/import" params={{ workspaceId }} variant="default">
      {words.import}
    </LinkButton>
  );
}

const { columns } = words;
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

interface PublishedFilterProps {
  filters: TemplateSearch;
  onChange: (change: { published: boolean | undefined; environment: string | undefined }) => void;
}

const ANY = '';
const valueOf = (published: boolean, environment: string) =>
  `${published ? 'in' : 'not in'} ${environment}`;

/** Filters templates by whether they are published in an environment. */
function PublishedFilter({ filters, onChange }: PublishedFilterProps) {
  const { data = [] } = useEnvironments();
  const { published, environment } = filters;
  const environments = new Set(data.map(({ name }) => name));
  // Somebody may have deleted the environment since the URL was created.
  if (environment !== undefined) environments.add(environment);
  const choices = [...environments].flatMap((name) => [
    { value: valueOf(true, name), label: words.publishedIn(name) },
    { value: valueOf(false, name), label: words.notPublishedIn(name) },
  ]);
  return (
    <NativeSelect
      label={words.published}
      value={published === undefined ? ANY : valueOf(published, environment ?? '')}
      onChange={({ currentTarget: { value } }) => {
        const name = value.split(' ').at(-1);
        onChange(
          isEnvironment(name)
            ? { published: value === valueOf(true, name), environment: name }
            : { published: undefined, environment: undefined },
        );
      }}
      data={[{ value: ANY, label: words.publishedOrNot }, ...choices]}
    />
  );
}

/** Adds sample templates to an empty workspace. Requires the `editor` role. */
function AddSamples() {
  const client = useClient();
  const workspaceId = useWorkspaceId();
  const queryClient = useQueryClient();
  const isEditor = useHasRole('editor');
  const addition = useMutation({
    mutationFn: async () => {
      // Loaded on demand, because the samples are about 80 KB and only this button needs them.
      const { samples } = await import('../../samples/index.js');
      const operations = samples.map(({ name, content, data }) => ({
        action: 'create' as const,
        name,
        content: { ...content, sampleData: data },
      }));
      await batchTemplates({ client, body: { workspaceId, operations } });
      return samples.length;
    },
    onSuccess: async (count) => {
      notifications.show({ message: words.samplesAdded(count) });
      await queryClient.invalidateQueries({ queryKey: ['templates'] });
    },
  });
  if (!isEditor) return null;
  return (
    <>
      <Button loading={addition.isPending} onClick={() => addition.mutate()}>
        {words.addSamples}
      </Button>
      {addition.error && <ErrorAlert error={addition.error} />}
    </>
  );
}
