import { Button, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { EmptyState, QueryState, RowsSkeleton } from '../../controls/states.js';
import { useKind, type Version } from '../kinds.js';
import {
  comparedVersions,
  parseTemplateCompareSearch,
  versionOf,
  type CompareSearch,
} from '../library-search.js';
import { EmailFrame } from '../preview/email-frame.js';
import { useRendered } from '../preview/preview-queries.js';
import classes from '../preview/preview.module.css';
import { examplesIn, isData } from '../preview/sample-values.js';
import { usePublished } from '../publishing/publication-queries.js';
import { libraryTexts } from '../texts.js';
import { useComparison, useDocument, type ReadComparison } from '../use-document.js';
import { ComparisonResult } from './comparison-result.js';
import { words } from './texts.js';
import { VersionChoice } from './version-choice.js';

/** Compares two versions. The URL identifies each by its number, or by an environment in which it is published. */
export function CompareView() {
  // For modules, the route has already removed environments from the search parameters.
  const search = parseTemplateCompareSearch(useSearch({ strict: false }));
  const latest = useDocument().data?.document.version ?? 1;
  const compared = comparedVersions(search, latest);
  const published = usePublished();
  const states = published.data ?? [];
  const from = versionOf(compared.from, states);
  const to = versionOf(compared.to, states);
  const missing = from === undefined ? compared.from : compared.to;
  const navigate = useNavigate();
  const choose = (change: CompareSearch) =>
    void navigate({ to: '.', search: { ...compared, ...change }, replace: true });
  return (
    <Stack gap="lg">
      <VersionChoice compared={compared} latestVersion={latest} states={states} onChange={choose} />
      {from === undefined || to === undefined ? (
        <QueryState query={published} skeleton={<RowsSkeleton rows={3} height={120} />}>
          {() => <EmptyState title={words.notPublished(missing)} text={words.notPublishedText} />}
        </QueryState>
      ) : (
        <ComparedVersions from={from} to={to} latestVersion={latest} />
      )}
    </Stack>
  );
}

interface ComparedVersionsProps {
  from: number;
  to: number;
  latestVersion: number;
}

function ComparedVersions({ from, to, latestVersion }: ComparedVersionsProps) {
  const read = useComparison({ from, to });
  const { name } = useKind();
  return (
    <QueryState query={read} skeleton={<RowsSkeleton rows={3} height={120} />}>
      {(result) => (
        <Stack key={`${from}-${to}`} gap="xl">
          <ComparisonResult read={result} latestVersion={latestVersion} />
          {name === 'template' && from !== to && <ComparedEmails read={result} />}
        </Stack>
      )}
    </QueryState>
  );
}

/**
 * Renders both versions of a template as emails. Waits until the user asks for the emails, because rendering costs CPU
 * time.
 */
function ComparedEmails({ read: { before, after } }: { read: ReadComparison }) {
  const [isShown, setIsShown] = useState(false);
  return (
    <section>
      <Title order={2} size="h4" mb="md">
        {words.bothEmails}
      </Title>
      {isShown ? (
        <SimpleGrid cols={{ base: 1, md: 2 }}>
          <ComparedEmail document={before} />
          <ComparedEmail document={after} />
        </SimpleGrid>
      ) : (
        <Button variant="default" onClick={() => setIsShown(true)}>
          {words.showBothEmails}
        </Button>
      )}
    </section>
  );
}

// Wide enough for columns side by side, as on a desktop.
const EMAIL_WIDTH = 680;

function ComparedEmail({ document: { version, content } }: { document: Version }) {
  const { sampleData } = content;
  const data = isData(sampleData) ? sampleData : examplesIn(content);
  const rendered = useRendered({ number: version, isLatest: false }, { data });
  return (
    <div>
      <Text fw={600} mb="xs">
        {words.version(version)}
      </Text>
      <QueryState query={rendered} skeleton={<RowsSkeleton rows={1} height={520} />}>
        {({ html }) => (
          <div className={classes['stage']}>
            <EmailFrame title={libraryTexts.emailFrame(version)} html={html} width={EMAIL_WIDTH} />
          </div>
        )}
      </QueryState>
    </div>
  );
}
