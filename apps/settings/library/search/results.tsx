import type { DocumentKind, HighlightPart, SearchResult } from '#client';
import { Text } from '@mantine/core';
import { EmptyState, QueryState, RowsSkeleton } from '../../controls/states.js';
import { LoadMore } from '../../lists/list-table.js';
import { texts } from '../../texts/index.js';
import { search as words } from '../../texts/library/search.js';
import { ResultEntry } from './result-entry.js';
import classes from './results.module.css';
import { useResults } from './use-results.js';

// The API ranks this many of the documents that match, and may leave out others.
const RANKED_DOCUMENTS = 250;
const { library } = texts;

export function Results({ query, kind }: { query: string; kind?: DocumentKind }) {
  const results = useResults({ query, ...(kind && { kind }) });
  const { data, hasNextPage, isPlaceholderData } = results;
  return (
    <>
      <Text size="sm" mb="xs" role="status">
        {data && !isPlaceholderData && words.count(data.length, hasNextPage)}
      </Text>
      <QueryState query={results} skeleton={<RowsSkeleton rows={5} height={90} />}>
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState
              title={words.nothingTitle}
              text={
                kind
                  ? words.nothingOfKindText(library.kinds[kind], query)
                  : words.nothingText(query)
              }
            />
          ) : (
            <>
              {!isPlaceholderData && !rows.some(isMatch) && (
                <Text size="sm" fw={600} mb="xs">
                  {words.similar}
                </Text>
              )}
              <ol
                className={classes['list']}
                aria-label={words.resultsLabel}
                aria-busy={isPlaceholderData}
              >
                {rows.map((result) => (
                  <ResultEntry key={result.id} result={result} />
                ))}
              </ol>
              {!hasNextPage && rows.length >= RANKED_DOCUMENTS && (
                <Text size="sm">{words.tooMany}</Text>
              )}
            </>
          )
        }
      </QueryState>
      <LoadMore list={results} />
    </>
  );
}

const isMatch = ({ highlights: { name, text } }: SearchResult): boolean =>
  [name, ...text].some((parts: readonly HighlightPart[]) => parts.some((part) => part.isMatch));
