import {
  changeCheckSettings,
  GalleyError,
  getCheckSettings,
  type ChangeCheckSettings,
  type CheckLevel,
  type CheckRuleDescription,
  type CheckSettingsWithRules,
} from '#client';
import { Alert, NativeSelect, Stack, Switch, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useClient } from '../../api/client.js';
import { useHasRole, useWorkspaceId } from '../../api/workspaces.js';
import { CodeText } from '../../controls/code.js';
import { Page } from '../../controls/page.js';
import { ErrorAlert, QueryState, RowsSkeleton } from '../../controls/states.js';
import { ListTable, type Column } from '../../lists/list-table.js';
import { texts } from '../../texts.js';
import { words } from './texts.js';

const LEVELS: readonly CheckLevel[] = ['error', 'warning', 'info', 'off'];
const DEFAULT = 'default';

/** The rules of the check, and their levels in the workspace. Admins can change the levels. */
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

/** @param setLevel undefined for users who may not change levels. */
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

const settingsKey = (workspaceId: string) => ['check-settings', workspaceId] as const;

/** The settings, and the ETag that an update sends as `If-Match`. */
interface ReadCheckSettings {
  settings: CheckSettingsWithRules;
  etag: string | undefined;
}

function useCheckSettings() {
  const client = useClient();
  const id = useWorkspaceId();
  return useQuery({
    queryKey: settingsKey(id),
    queryFn: async ({ signal }): Promise<ReadCheckSettings> => {
      const { data, response } = await getCheckSettings({ client, path: { id }, signal });
      return { settings: data, etag: response.headers.get('etag') ?? undefined };
    },
  });
}

type Change = (current: CheckSettingsWithRules) => ChangeCheckSettings;

function useChangeCheckSettings() {
  const client = useClient();
  const queryClient = useQueryClient();
  const id = useWorkspaceId();
  const key = settingsKey(id);
  return useMutation({
    // Changes run one after the other, so that each starts from the result and the ETag of the previous change.
    scope: { id: key.join(' ') },
    mutationFn: async (change: Change): Promise<ReadCheckSettings> => {
      const read = queryClient.getQueryData<ReadCheckSettings>(key);
      if (read === undefined) throw new Error('The settings have not been read.');
      const headers = read.etag === undefined ? {} : { 'If-Match': read.etag };
      const request = { client, path: { id }, headers, body: change(read.settings) };
      const { data, response } = await changeCheckSettings(request);
      const settings = { ...read.settings, ...data };
      return { settings, etag: response.headers.get('etag') ?? undefined };
    },
    onSuccess: async (changed) => {
      queryClient.setQueryData<ReadCheckSettings>(key, changed);
      // A changed level also changes the severity of findings.
      await queryClient.invalidateQueries({ queryKey: ['checked'] });
    },
    // After a conflict, the page shows the settings that somebody else has saved.
    onError: () => queryClient.invalidateQueries({ queryKey: key }),
  });
}
