import { Group, SegmentedControl, Stack, Switch } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { RowsSkeleton } from '../../states/page-skeleton.js';
import { QueryState } from '../../states/query-state.js';
import { preview as words } from '../../texts/library/preview.js';
import { useDocument } from '../kinds/use-document.js';
import { parsePreviewSearch, PREVIEW_VIEWS, type PreviewSearch } from '../library-search.js';
import { VersionSelect } from '../versions/version-select.js';
import { EmailFrame } from './email-frame.js';
import { FindingList } from './finding-list.js';
import { useRendered, type SampleData } from './preview-queries.js';
import classes from './preview.module.css';
import { SampleDataEditor } from './sample-data.js';

/** A version of a template as an email, with sample data. */
export function PreviewView() {
  const latest = useDocument().data?.document.version ?? 1;
  const {
    version = latest,
    view = 'desktop',
    dark = false,
  } = parsePreviewSearch(useSearch({ strict: false }));
  const [data, setData] = useState<SampleData>();
  const rendered = useRendered(version, data);
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
      <QueryState query={rendered} skeleton={<RowsSkeleton rows={1} height={520} />}>
        {({ html, text, warnings, variables }) => (
          <div className={classes['layout']}>
            <div className={classes['stage']}>
              {view === 'text' ? (
                <pre
                  className={classes['text']}
                  tabIndex={0}
                  role="region"
                  aria-label={words.views.text}
                >
                  {text}
                </pre>
              ) : (
                <div className={classes[view]}>
                  <EmailFrame title={words.frame(version)} html={html} isDark={dark} />
                </div>
              )}
            </div>
            <Stack gap="xl">
              <FindingList warnings={warnings} />
              <SampleDataEditor variables={variables} data={data} onChange={setData} />
            </Stack>
          </div>
        )}
      </QueryState>
    </Stack>
  );
}
