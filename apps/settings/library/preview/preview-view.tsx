import { Group, SegmentedControl, Stack, Switch } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { QueryState, RowsSkeleton } from '../../controls/states.js';
import { preview as words } from '../../texts/library/preview.js';
import { useDocument } from '../kinds/use-document.js';
import { parsePreviewSearch, PREVIEW_VIEWS, type PreviewSearch } from '../library-search.js';
import { VersionSelect } from '../versions/version-select.js';
import { CheckedPreview } from './checked-preview.js';
import { useChecked } from './preview-queries.js';

/** A version of a template as an email, with findings and sample data. */
export function PreviewView() {
  const latest = useDocument().data?.document.version ?? 1;
  const search = parsePreviewSearch(useSearch({ strict: false }));
  const { version = latest, view = 'desktop', dark = false } = search;
  const previewed = { number: version, isLatest: version === latest };
  const checked = useChecked(previewed);
  const navigate = useNavigate();
  const choose = (change: PreviewSearch) =>
    void navigate({ to: '.', search: (current) => ({ ...current, ...change }), replace: true });
  return (
    <Stack gap="md">
      <Group align="end" gap="md" component="section" aria-label={words.choice}>
        <VersionSelect
          label={words.version}
          latestVersion={latest}
          value={version}
          onChange={(chosen) => choose({ version: chosen })}
        />
        <SegmentedControl
          aria-label={words.view}
          data={PREVIEW_VIEWS.map((value) => ({ value, label: words.views[value] }))}
          value={view}
          onChange={(chosen) => choose({ view: chosen })}
        />
        <Switch
          label={words.dark}
          checked={dark}
          disabled={view === 'text'}
          onChange={({ currentTarget }) => choose({ dark: currentTarget.checked })}
          pb={8}
        />
      </Group>
      <QueryState query={checked} skeleton={<RowsSkeleton rows={1} height={520} />}>
        {(result) => (
          <CheckedPreview
            key={version}
            title={words.frame(version)}
            version={previewed}
            checked={result}
            checkedAt={checked.dataUpdatedAt}
            view={view}
            isDark={dark}
          />
        )}
      </QueryState>
    </Stack>
  );
}
