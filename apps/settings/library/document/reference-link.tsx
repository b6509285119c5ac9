import { useWorkspaceId } from '../../api/workspaces.js';
import { LinkAnchor } from '../../controls/links.js';
import { texts } from '../../texts/index.js';
import type { ModuleReference } from './references.js';
import classes from './json-tree.module.css';

const { library } = texts;

/** Leads from a reference to its module, or to the version that the document pins. */
export function ReferenceLink({ reference }: { reference: ModuleReference }) {
  const { id, name, version, isPinned, problem } = reference;
  const workspaceId = useWorkspaceId();
  const params = { workspaceId, documentId: id };
  const className = classes['reference'] ?? '';
  if (problem !== undefined) return null;
  return isPinned ? (
    <LinkAnchor
      to="/w/$workspaceId/modules/$documentId/versions/$version"
      params={{ ...params, version: String(version) }}
      className={className}
    >
      {library.referenceTo(name, version)}
    </LinkAnchor>
  ) : (
    <LinkAnchor to="/w/$workspaceId/modules/$documentId" params={params} className={className}>
      {library.referenceTo(name, undefined)}
    </LinkAnchor>
  );
}
