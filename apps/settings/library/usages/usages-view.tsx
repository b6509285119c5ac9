import type { ModuleUsage } from '#client';
import { Stack, Text, Title } from '@mantine/core';
import { useHasRole, useWorkspaceId } from '../../api/workspaces.js';
import { LinkAnchor } from '../../controls/links.js';
import { EmptyState, QueryState, RowsSkeleton } from '../../controls/states.js';
import { ListTable, LoadMore, type Column } from '../../lists/list-table.js';
import { useDocumentId } from '../kinds.js';
import { libraryTexts } from '../texts.js';
import { words } from './texts.js';
import { UpdateUsages } from './update-usages.js';
import { useModuleUsages } from './usage-queries.js';
import { UsageLink } from './usage-summary.js';

/** The templates and modules that use a module. Editors can pin the templates to another version of the module. */
export function UsagesView() {
  const isEditor = useHasRole('editor');
  return (
    <Stack gap="xl">
      <UsageTable />
      {isEditor && <UpdateUsages />}
    </Stack>
  );
}

function UsageTable() {
  const usages = useModuleUsages();
  const workspaceId = useWorkspaceId();
  const moduleId = useDocumentId();
  return (
    <section>
      <Title order={2} size="h4" mb={4}>
        {words.title}
      </Title>
      <Text size="sm" mb="md" maw={680}>
        {words.text}
      </Text>
      <QueryState query={usages} skeleton={<RowsSkeleton rows={4} height={46} />}>
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState title={words.emptyTitle} text={words.emptyText} />
          ) : (
            <ListTable
              label={words.title}
              columns={columnsFor(rows)}
              rows={rows}
              rowKey={({ id, moduleId, pinnedVersion }) => [id, moduleId, pinnedVersion].join()}
            />
          )
        }
      </QueryState>
      <LoadMore list={usages} />
      {usages.data?.some((usage) => usage.kind === 'template' && usage.moduleId === moduleId) && (
        <LinkAnchor
          to="/w/$workspaceId/templates"
          params={{ workspaceId }}
          search={{ moduleId }}
          size="sm"
        >
          {words.asList}
        </LinkAnchor>
      )}
    </section>
  );
}

const { columns } = words;
const columnsFor = (rows: readonly ModuleUsage[]): Column<ModuleUsage>[] => [
  { header: columns.name, cell: (usage) => <UsageLink usage={usage} /> },
  { header: columns.kind, cell: ({ kind }) => libraryTexts.kindNames[kind], width: 120 },
  { header: columns.version, cell: ({ version }) => version, width: 100 },
  {
    header: columns.module,
    cell: ({ moduleId }) => <Through moduleId={moduleId} rows={rows} />,
    width: 190,
  },
  {
    header: columns.pinned,
    cell: ({ pinnedVersion }) =>
      pinnedVersion === null ? words.follows : words.pinned(pinnedVersion),
    width: 230,
  },
];

/** Shows the module through which a document uses this module. */
function Through({ moduleId, rows }: { moduleId: string; rows: readonly ModuleUsage[] }) {
  const workspaceId = useWorkspaceId();
  if (moduleId === useDocumentId()) return words.thisModule;
  // The module in between also uses this module, so the list usually contains it.
  const other = rows.find(({ id }) => id === moduleId);
  if (other) return <UsageLink usage={other} />;
  return (
    <LinkAnchor
      to="/w/$workspaceId/modules/$documentId"
      params={{ workspaceId, documentId: moduleId }}
      size="sm"
    >
      {words.otherModule}
    </LinkAnchor>
  );
}
