import type { AnchorProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { useWorkspaceId } from '../../api/workspaces.js';
import { LinkAnchor } from '../../controls/links.js';
import type { DocumentSearch } from '../library-search.js';
import { useDocumentId, useKind } from './kind-context.js';

interface VersionLinkProps extends AnchorProps {
  /** Without a number, the link leads to the latest version. */
  version?: number;
  search?: DocumentSearch;
  target?: '_blank';
  children: ReactNode;
}

const ACTIVE_PROPS = { 'data-active': true };

/** Links to a version of the template or module in the URL. */
export function VersionLink({ version, search = {}, ...props }: VersionLinkProps) {
  const workspaceId = useWorkspaceId();
  const { section } = useKind();
  const documentId = useDocumentId();
  const common = {
    ...props,
    search,
    activeOptions: { exact: true, includeSearch: false },
    activeProps: ACTIVE_PROPS,
  };
  return version === undefined ? (
    <LinkAnchor
      to={`/w/$workspaceId/${section}/$documentId`}
      params={{ workspaceId, documentId }}
      {...common}
    />
  ) : (
    <LinkAnchor
      to={`/w/$workspaceId/${section}/$documentId/versions/$version`}
      params={{ workspaceId, documentId, version: String(version) }}
      {...common}
    />
  );
}
