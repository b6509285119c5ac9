import {
  GalleyError,
  type CheckLevel,
  type CheckRuleDescription,
  type CheckSettingsWithRules,
} from '#client';
import { Alert, NativeSelect, Stack, Switch, Text } from '@mantine/core';
import { useHasRole } from '../../api/workspaces.js';
import { CodeText } from '../../controls/code.js';
import { Page } from '../../controls/page.js';
import { ErrorAlert, QueryState, RowsSkeleton } from '../../controls/states.js';
import { ListTable, type Column } from '../../lists/list-table.js';
import { checks as words } from '../../texts/checks.js';
import { texts } from '../../texts/index.js';
import { useChangeCheckSettings, useCheckSettings } from './check-settings-queries.js';

const LEVELS: readonly CheckLevel[] = ['error', 'warning', 'info', 'off'];
const DEFAULT = 'default';

/** The rules of the check, with the levels that they have in the workspace. Admins change them. */
export function CheckSettings() {
  const settings = useCheckSettings();
  return (
    <Page title={texts.navigation.checks}>
      <Text size="sm" mb="md" maw={680}>
        {words.intro}
      </Text>
      <QueryState query={settings} skeleton={<RowsSkeleton rows={8} height={64} />}>
        {({ settings: current }) => <LoadedSettings settings={current} />}
      </QueryState>
    </Page>
  );
}

function LoadedSettings({ settings }: { settings: CheckSettingsWithRules }) {
  const { rules, levels, errorsBlockPublishing } = settings;
  const isAdmin = useHasRole('admin');
  const change = useChangeCheckSettings();
  const setLevel = (rule: string, level: string) =>
    change.mutate((current) => {
      const { [rule]: _previous, ...others } = current.levels;
      return {
        levels: level === DEFAULT ? others : { ...others, [rule]: level as CheckLevel },
      };
    });
  const isStale = change.error instanceof GalleyError && change.error.code === 'stale';
  return (
    <Stack gap="md">
      {isAdmin ? (
        <Switch
          label={words.blocks}
          description={words.blocksHint}
          checked={errorsBlockPublishing}
          onChange={({ currentTarget: { checked } }) =>
            change.mutate(() => ({ errorsBlockPublishing: checked }))
          }
        />
      ) : (
        <Text size="sm">{errorsBlockPublishing ? words.blocking : words.notBlocking}</Text>
      )}
      {isStale && (
        <Alert color="yellow" title={words.changedMeanwhileTitle} role="alert">
          {words.changedMeanwhile}
        </Alert>
      )}
      {change.error && !isStale && <ErrorAlert error={change.error} />}
      <ListTable
        label={words.listLabel}
        columns={columnsFor(levels, isAdmin ? setLevel : undefined)}
        rows={rules}
        rowKey={({ name }) => name}
      />
    </Stack>
  );
}

/** @param setLevel undefined for readers who may not change levels. */
const columnsFor = (
  levels: CheckSettingsWithRules['levels'],
  setLevel: ((rule: string, level: string) => void) | undefined,
): Column<CheckRuleDescription>[] => [
  {
    header: words.columns.rule,
    cell: ({ name, help }) => (
      <div>
        <Text size="sm" fw={600}>
          {words.ruleName(name)}
        </Text>
        <Text size="sm" c="dimmed" maw={640}>
          <CodeText text={help} />
        </Text>
      </div>
    ),
  },
  {
    header: words.columns.level,
    width: 220,
    cell: ({ name, severity }) => {
      const level = levels[name];
      const usual = words.usual(words.levels[severity]);
      if (setLevel === undefined) return level === undefined ? usual : words.levels[level];
      return (
        <NativeSelect
          size="xs"
          aria-label={words.levelOf(words.ruleName(name))}
          value={level ?? DEFAULT}
          onChange={({ currentTarget }) => setLevel(name, currentTarget.value)}
          data={[
            { value: DEFAULT, label: usual },
            ...LEVELS.map((value) => ({ value, label: words.levels[value] })),
          ]}
        />
      );
    },
  },
];
