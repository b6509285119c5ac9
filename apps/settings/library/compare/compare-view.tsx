import { Stack } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { EmptyState, QueryState, RowsSkeleton } from '../../controls/states.js';
import { comparison as words } from '../../texts/library/comparison.js';
import { comparedVersions, versionOf } from '../compared-versions.js';
import { useKind } from '../kinds/kind-context.js';
import { useComparison, useDocument } from '../kinds/use-document.js';
import { parseTemplateCompareSearch, type CompareSearch } from '../library-search.js';
import { usePublished } from '../publishing/publication-queries.js';
import { ComparedEmails } from './compared-emails.js';
import { ComparisonResult } from './comparison-result.js';
import { VersionChoice } from './version-choice.js';

/** Compares two versions. The URL names them by their numbers, or by environments. */
export function CompareView() {
  // The route of modules has already removed environments.
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
          {name === 'template' && from !== to && <ComparedEmails from={from} to={to} />}
        </Stack>
      )}
    </QueryState>
  );
}
