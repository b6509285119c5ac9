import { Badge, Select, type AnchorProps } from '@mantine/core';
import { IconTag } from '@tabler/icons-react';
import { useMemo, type ReactNode } from 'react';
import { useWorkspaceId } from '../api/workspaces.js';
import { LinkAnchor } from '../controls/links.js';
import { useDocumentId, useKind } from './kinds.js';
import type { DocumentSearch } from './library-search.js';
import { libraryTexts } from './texts.js';

interface VersionLinkProps extends AnchorProps {
  /** By default, the link leads to the latest version. */
  version?: number;
  search?: DocumentSearch;
  target?: '_blank';
  children: ReactNode;
}

const ACTIVE_PROPS = { 'data-active': true };

/** A link to a version of the template or module of this page; without `version`, to the template or module itself. */
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

interface VersionSelectProps {
  label: string;
  latestVersion: number;
  value: number;
  onChange: (version: number) => void;
}

// The select offers the latest versions, up to this number. To choose an earlier version, the user types its number.
export const MAX_SHOWN_VERSIONS = 100;

export function VersionSelect({ label, latestVersion, value, onChange }: VersionSelectProps) {
  const data = useMemo(() => versionOptions(latestVersion), [latestVersion]);
  return (
    <Select
      label={label}
      data={data}
      limit={MAX_SHOWN_VERSIONS}
      searchable
      allowDeselect={false}
      nothingFoundMessage={libraryTexts.noSuchVersion}
      value={String(value)}
      onChange={(version) => version !== null && onChange(Number(version))}
    />
  );
}

/** The options for all versions, newest first. Versions are numbered from 1 without gaps. */
export const versionOptions = (latestVersion: number): { value: string; label: string }[] =>
  Array.from({ length: latestVersion }, (_, index) => {
    const version = latestVersion - index;
    const label =
      index === 0 ? libraryTexts.versionAsLatest(version) : libraryTexts.versionOf(version);
    return { value: String(version), label };
  });

export function VersionLabel({ children }: { children: string }) {
  return (
    <Badge
      size="sm"
      variant="outline"
      tt="none"
      fw={600}
      maw="100%"
      title={children}
      leftSection={<IconTag size={12} aria-hidden />}
    >
      {children}
    </Badge>
  );
}
