import { List, Skeleton, Text } from '@mantine/core';
import { QueryState } from '../../controls/states.js';
import { usages as words } from '../../texts/library/usages.js';
import { distinctUsages } from './distinct-usages.js';
import { UsageLink } from './usage-link.js';
import type { useUsages } from './usage-queries.js';

const MAX_SHOWN = 5;

/** How many templates and modules use the module, with the names of the first ones. */
export function UsageSummary({ usages }: { usages: ReturnType<typeof useUsages> }) {
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
