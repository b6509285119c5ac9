import { Group, Skeleton, Text, Title } from '@mantine/core';
import { LinkAnchor } from '../../controls/links.js';
import { QueryState } from '../../controls/states.js';
import { distinctUsages } from '../usages/usage-summary.js';
import { useModuleUsages } from '../usages/usage-queries.js';
import { words } from './texts.js';

const MAX_SHOWN = 20;

/** Links to the previews of the templates that use the module in the URL. */
export function PreviewsInTemplates() {
  const usages = useModuleUsages();
  return (
    <section>
      <Title order={2} size="h4" mb="xs">
        {words.inTemplates}
      </Title>
      <QueryState query={usages} skeleton={<Skeleton h={24} />}>
        {(rows) => {
          const templates = distinctUsages(rows).filter(({ kind }) => kind === 'template');
          if (templates.length === 0) return <Text size="sm">{words.inNoTemplate}</Text>;
          return (
            <Group gap="md">
              {templates.slice(0, MAX_SHOWN).map(({ id, name, workspaceId }) => (
                <LinkAnchor
                  key={id}
                  to="/w/$workspaceId/templates/$documentId/preview"
                  params={{ workspaceId, documentId: id }}
                  size="sm"
                >
                  {name}
                </LinkAnchor>
              ))}
            </Group>
          );
        }}
      </QueryState>
    </section>
  );
}
