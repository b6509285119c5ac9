import type { ModuleUsage } from '#client';
import { LinkAnchor } from '../../controls/links.js';

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
