import type { Tag } from '#client';
import { Text } from '@mantine/core';
import { useHasRole, useWorkspaceId } from '../../api/workspaces.js';
import { LinkAnchor } from '../../controls/links.js';
import { Page } from '../../controls/page.js';
import { EmptyState, QueryState, RowsSkeleton } from '../../controls/states.js';
import { ListTable, LoadMore, type Column } from '../../lists/list-table.js';
import { texts } from '../../texts.js';
import { useTags } from '../tag-queries.js';
import { TagActions } from './tag-actions.js';
import { words } from './texts.js';

const { columns } = words;

/** The tags of the workspace. Editors can rename or remove a tag in all templates and modules. */
export function TagList() {
  const tags = useTags();
  const isEditor = useHasRole('editor');
  return (
    <Page title={texts.navigation.tags}>
      <QueryState query={tags} skeleton={<RowsSkeleton rows={6} height={52} />}>
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState title={words.emptyTitle} text={words.emptyText} />
          ) : (
            <>
              <Text size="sm" mb="md" maw={680}>
                {words.intro}
              </Text>
              <ListTable
                label={words.listLabel}
                columns={isEditor ? [...COLUMNS, ACTIONS] : COLUMNS}
                rows={rows}
                rowKey={({ name }) => name}
              />
            </>
          )
        }
      </QueryState>
      <LoadMore list={tags} />
    </Page>
  );
}

const COLUMNS: readonly Column<Tag>[] = [
  {
    header: columns.name,
    cell: ({ name }) => (
      <Text size="sm" fw={600}>
        {name}
      </Text>
    ),
  },
  { header: columns.templates, cell: (tag) => <Count tag={tag} of="templates" />, width: 160 },
  { header: columns.modules, cell: (tag) => <Count tag={tag} of="modules" />, width: 160 },
];

const ACTIONS: Column<Tag> = {
  header: columns.actions,
  isHeaderHidden: true,
  cell: ({ name }) => <TagActions name={name} />,
  width: 60,
};

/** Shows how many templates or modules have a tag, and links to their list. */
function Count({ tag, of: section }: { tag: Tag; of: 'templates' | 'modules' }) {
  const workspaceId = useWorkspaceId();
  const count = words.count(tag[section]);
  if (tag[section] === 0) return count;
  return (
    <LinkAnchor
      to={`/w/$workspaceId/${section}`}
      params={{ workspaceId }}
      search={{ tags: tag.name }}
      size="sm"
      aria-label={words.countLabel(count, section, tag.name)}
    >
      {count}
    </LinkAnchor>
  );
}
