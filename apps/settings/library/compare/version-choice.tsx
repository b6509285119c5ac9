import { Select, SimpleGrid } from '@mantine/core';
import { useMemo } from 'react';
import type { ComparedSide } from '../library-search.js';
import type { PublishedState } from '../publishing/publication-queries.js';
import { libraryTexts } from '../texts.js';
import { MAX_SHOWN_VERSIONS, versionOptions } from '../version-parts.js';
import { words } from './texts.js';

interface VersionChoiceProps {
  compared: { from: ComparedSide; to: ComparedSide };
  latestVersion: number;
  /** The published version of each environment; empty for a module. */
  states: readonly PublishedState[];
  onChange: (change: { from?: ComparedSide; to?: ComparedSide }) => void;
}

export function VersionChoice({ compared, latestVersion, states, onChange }: VersionChoiceProps) {
  const options = useMemo(() => optionsOf(latestVersion, states), [latestVersion, states]);
  return (
    <SimpleGrid component="section" aria-label={words.choice} cols={{ base: 1, xs: 2 }} maw={560}>
      <SideSelect
        label={words.from}
        options={options}
        value={compared.from}
        onChange={(from) => onChange({ from })}
      />
      <SideSelect
        label={words.to}
        options={options}
        value={compared.to}
        onChange={(to) => onChange({ to })}
      />
    </SimpleGrid>
  );
}

interface SideSelectProps {
  label: string;
  options: ReturnType<typeof optionsOf>;
  value: ComparedSide;
  onChange: (side: ComparedSide) => void;
}

const SideSelect = ({ label, options, value, onChange }: SideSelectProps) => (
  <Select
    label={label}
    data={options}
    limit={MAX_SHOWN_VERSIONS}
    searchable
    allowDeselect={false}
    nothingFoundMessage={libraryTexts.noSuchVersion}
    value={toOption(value)}
    onChange={(option) => option !== null && onChange(toSide(option))}
  />
);

function optionsOf(latestVersion: number, states: readonly PublishedState[]) {
  const versions = versionOptions(latestVersion);
  const environments = states.flatMap(({ environment, published }) =>
    published === undefined
      ? []
      : [
          {
            value: toOption(environment),
            label: words.environment(environment, published.version),
          },
        ],
  );
  if (environments.length === 0) return versions;
  return [
    { group: words.published, items: environments },
    { group: libraryTexts.versions, items: versions },
  ];
}

// The name of an environment may consist of digits. The prefix distinguishes such a name from a version number.
const ENVIRONMENT = 'environment:';

const toOption = (side: ComparedSide): string =>
  typeof side === 'number' ? String(side) : `${ENVIRONMENT}${side}`;

const toSide = (option: string): ComparedSide =>
  option.startsWith(ENVIRONMENT) ? option.slice(ENVIRONMENT.length) : Number(option);
