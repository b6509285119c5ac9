import type { ModuleUsage } from '#client';
import { List, Skeleton, Text } from '@mantine/core';
import { LinkAnchor } from '../../controls/links.js';
import { QueryState } from '../../controls/states.js';
import { words } from './texts.js';
import type { useModuleUsages } from './usage-queries.js';

const MAX_SHOWN = 5;

/** The number of templates and modules that use the module, and the names of the first few. */
export function UsageSummary({ usages }: { usages: ReturnType<typeof useModuleUsages> }) {
  return (
    <QueryState query={usages} skeleton={<Skeleton h={44} />}>
      {(rows) => {
        const users = distinctUsages(rows);
        if (users.length === 0) return <Text size="sm">{words.unused}</Text>;
        const templates = users.filter(({ kind }) => kind === 'template').length;
        const counts = { templates, modules: users.length - templates };
        return (
          <div>
            <Text size="sm" fw={600}>
              {words.usedBy(counts, usages.hasNextPage)}
            </Text>
            <List size="sm">
              {users.slice(0, MAX_SHOWN).map((usage) => (
                <List.Item key={usage.id}>
                  <UsageLink usage={usage} target="_blank" />
                </List.Item>
              ))}
            </List>
            {users.length > MAX_SHOWN && (
              <Text size="sm" mt={4}>
                {words.andMore(users.length - MAX_SHOWN)}
              </Text>
            )}
          </div>
        );
      }}
    </QueryState>
  );
}

interface UsageLinkProps {
  usage: Pick<ModuleUsage, 'id' | 'kind' | 'name' | 'workspaceId'>;
  target?: '_blank';
}

export function UsageLink({ usage: { id, kind, name, workspaceId }, ...props }: UsageLinkProps) {
  return (
    <LinkAnchor
      to={`/w/$workspaceId/${kind === 'template' ? 'templates' : 'modules'}/$documentId`}
      params={{ workspaceId, documentId: id }}
      size="sm"
      fw={600}
      {...props}
    >
      {name}
    </LinkAnchor>
  );
}

/** Keeps one usage for each document, because a document may use the same module in several ways. */
export const distinctUsages = (usages: readonly ModuleUsage[]): ModuleUsage[] => [
  ...new Map(usages.map((usage) => [usage.id, usage])).values(),
];
