import { Stack, Switch } from '@mantine/core';
import { useMemo, useState } from 'react';
import { QueryState, RowsSkeleton } from '../../controls/states.js';
import { preview as words } from '../../texts/library/preview.js';
import type { PreviewSearch } from '../library-search.js';
import { EmailFrame } from './email-frame.js';
import { FindingList } from './finding-list.js';
import { numberFindings } from './numbered-findings.js';
import { useRendered, type PreviewedVersion, type useChecked } from './preview-queries.js';
import classes from './preview.module.css';
import { SampleDataEditor } from './sample-data.js';
import { isData, type SampleData } from './sample-values.js';

interface CheckedPreviewProps {
  title: string;
  version: PreviewedVersion;
  checked: NonNullable<ReturnType<typeof useChecked>['data']>;
  checkedAt: number;
  view: NonNullable<PreviewSearch['view']>;
  isDark: boolean;
}

/** The email, with the findings and the sample data beside it. */
export function CheckedPreview(props: CheckedPreviewProps) {
  const { title, version, checked, checkedAt, view, isDark } = props;
  const { content, marked, counts } = checked;
  const { findings, marks } = useMemo(
    () => numberFindings(checked.findings, marked),
    [checked.findings, marked],
  );
  const ownData = content['sampleData'];
  const [data, setData] = useState<SampleData | undefined>(isData(ownData) ? ownData : undefined);
  const [areMarksShown, setAreMarksShown] = useState(true);
  const rendered = useRendered(version, { data, marked, checkedAt });
  const variables = rendered.data?.variables ?? { used: [], missing: [] };
  return (
    <div className={classes['layout']}>
      <div className={classes['stage']}>
        <QueryState query={rendered} skeleton={<RowsSkeleton rows={1} height={520} />}>
          {({ html, text }) =>
            view === 'text' ? (
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
                <EmailFrame
                  title={title}
                  html={html}
                  isDark={isDark}
                  {...(areMarksShown && { marks })}
                />
              </div>
            )
          }
        </QueryState>
      </div>
      <Stack gap="xl">
        {!rendered.isPending && (
          <SampleDataEditor
            variables={variables}
            content={content}
            data={data}
            onChange={setData}
          />
        )}
        <FindingList findings={findings} counts={counts}>
          {marks.length > 0 && view !== 'text' && (
            <Switch
              label={words.marks}
              checked={areMarksShown}
              onChange={({ currentTarget }) => setAreMarksShown(currentTarget.checked)}
              mb="sm"
            />
          )}
        </FindingList>
      </Stack>
    </div>
  );
}
