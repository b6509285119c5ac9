import { Select } from '@mantine/core';
import { useMemo } from 'react';
import { texts } from '../../texts/index.js';

interface VersionSelectProps {
  label: string;
  latestVersion: number;
  value: number;
  onChange: (version: number) => void;
}

// The list shows this many versions; the reader types the number of an earlier version.
export const MAX_SHOWN_VERSIONS = 100;
const { library } = texts;

export function VersionSelect({ label, latestVersion, value, onChange }: VersionSelectProps) {
  const data = useMemo(() => versionOptions(latestVersion), [latestVersion]);
  return (
    <Select
      label={label}
      data={data}
      limit={MAX_SHOWN_VERSIONS}
      searchable
      allowDeselect={false}
      nothingFoundMessage={library.noSuchVersion}
      value={String(value)}
      onChange={(version) => version !== null && onChange(Number(version))}
    />
  );
}

/** The options of all versions, newest first. Versions are numbered from 1 without gaps. */
export const versionOptions = (latestVersion: number): { value: string; label: string }[] =>
  Array.from({ length: latestVersion }, (_, index) => {
    const version = latestVersion - index;
    const label = index === 0 ? library.versionAsLatest(version) : library.versionOf(version);
    return { value: String(version), label };
  });
