import type { MailClient } from '#client';
import { Group, SegmentedControl, Select, Stack, Switch } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { QueryState, RowsSkeleton } from '../../controls/states.js';
import { useKind } from '../kinds.js';
import {
  isMailClient,
  parsePreviewSearch,
  PREVIEW_VIEWS,
  type PreviewSearch,
} from '../library-search.js';
import { libraryTexts } from '../texts.js';
import { useDocument } from '../use-document.js';
import { VersionSelect } from '../version-parts.js';
import { EmailFrame } from './email-frame.js';
import { InboxLine } from './inbox-line.js';
import { FindingList, numberFindings } from './finding-list.js';
import { LanguageSelect } from './language-select.js';
import { useChecked, useRendered, type PreviewedVersion } from './preview-queries.js';
import classes from './preview.module.css';
import { PreviewsInTemplates } from './previews-in-templates.js';
import { SampleDataEditor } from './sample-data.js';
import { examplesIn, isData, type SampleData } from './sample-values.js';
import { TestEmail } from './test-email.js';
import { words } from './texts.js';

const MAIL_CLIENTS = [
  { value: '', label: words.anyClient },
  ...Object.entries(words.clients).map(([value, label]) => ({ value, label })),
];

/** Shows a version of a template or module as an email, with its findings and sample data. */
export function PreviewView() {
  const latest = useDocument().data?.document.version ?? 1;
  const search = parsePreviewSearch(useSearch({ strict: false }));
  const { version = latest, view = 'desktop', client, dark = false, language } = search;
  const previewed = { number: version, isLatest: version === latest };
  const checked = useChecked(previewed);
  const { name } = useKind();
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
        <Select
          label={words.client}
          data={MAIL_CLIENTS}
          value={client ?? ''}
          disabled={view === 'text'}
          allowDeselect={false}
          onChange={(chosen) => choose({ client: isMailClient(chosen) ? chosen : undefined })}
        />
        <LanguageSelect
          version={previewed}
          language={language}
          onChange={(chosen) => choose({ language: chosen })}
        />
        <Switch
          label={words.dark}
          checked={dark}
          disabled={view === 'text' || client === 'apple-mail-dark'}
          onChange={({ currentTarget }) => choose({ dark: currentTarget.checked })}
          pb={8}
        />
      </Group>
      <QueryState query={checked} skeleton={<RowsSkeleton rows={1} height={520} />}>
        {(result) => (
          <CheckedPreview
            key={version}
            title={libraryTexts.emailFrame(version)}
            version={previewed}
            checked={result}
            checkedAt={checked.dataUpdatedAt}
            view={view}
            isDark={dark && client !== 'apple-mail-dark'}
            client={client}
            language={language}
          />
        )}
      </QueryState>
      {name === 'module' && <PreviewsInTemplates />}
    </Stack>
  );
}

interface CheckedPreviewProps {
  title: string;
  version: PreviewedVersion;
  checked: NonNullable<ReturnType<typeof useChecked>['data']>;
  checkedAt: number;
  view: NonNullable<PreviewSearch['view']>;
  isDark: boolean;
  client: MailClient | undefined;
  language: string | undefined;
}

/** Shows the email, with the findings and the sample data beside it. */
function CheckedPreview(props: CheckedPreviewProps) {
  const { title, version, checked, checkedAt, view, isDark, client, language } = props;
  const { content, marked, counts } = checked;
  const { findings, marks } = useMemo(
    () => numberFindings(checked.findings, marked),
    [checked.findings, marked],
  );
  const { sampleData } = content;
  const ownData = isData(sampleData) ? sampleData : examplesIn(content);
  const [data, setData] = useState<SampleData | undefined>(ownData);
  const [areMarksShown, setAreMarksShown] = useState(false);
  const [pointedAt, setPointedAt] = useState<string>();
  const [shown, setShown] = useState<string>();
  const shownMarks = useMemo(
    () => marks.filter(({ className }) => areMarksShown || className === pointedAt),
    [marks, areMarksShown, pointedAt],
  );
  const { name } = useKind();
  const rendered = useRendered(version, { data, marked, checkedAt, client, language });
  const variables = rendered.data?.variables ?? { used: [], missing: [] };
  return (
    <div className={classes['layout']}>
      <div className={classes['stage']}>
        <QueryState query={rendered} skeleton={<RowsSkeleton rows={1} height={520} />}>
          {({ html, text, fromName, subject, preheader }) => (
            <>
              {name === 'template' && (
                <InboxLine fromName={fromName} subject={subject} preheader={preheader} />
              )}
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
                  <EmailFrame
                    title={title}
                    html={html}
                    isDark={isDark}
                    marks={shownMarks}
                    shown={shown}
                  />
                </div>
              )}
            </>
          )}
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
        <TestEmail version={version} data={data} language={language} />
        <FindingList
          findings={findings}
          counts={counts}
          onPoint={(finding) => {
            setPointedAt(finding?.className);
            setShown(undefined);
          }}
          onShow={({ className }) => setShown(className)}
        >
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
