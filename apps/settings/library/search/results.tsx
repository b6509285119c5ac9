import { search, type DocumentKind, type HighlightPart, type SearchResult } from '#client';
import { Badge, Group, Text } from '@mantine/core';
import { useClient } from '../../api/client.js';
import { useWorkspaceId } from '../../api/workspaces.js';
import { LinkAnchor } from '../../controls/links.js';
import { RelativeTime } from '../../controls/relative-time.js';
import { EmptyState, QueryState, RowsSkeleton } from '../../controls/states.js';
import { useCursorList } from '../../lists/cursor-list.js';
import { LoadMore } from '../../lists/list-table.js';
import type { QuerySearch } from '../library-search.js';
import { TagLinks } from '../tag-parts.js';
import { libraryTexts } from '../texts.js';
import classes from './results.module.css';
import { words } from './texts.js';

// The API ranks at most this many matching documents, and may leave out others.
const RANKED_DOCUMENTS = 250;

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
                  ? words.nothingOfKindText(libraryTexts.kinds[kind], query)
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

function ResultEntry({ result }: { result: SearchResult }) {
  const { id, kind, workspaceId, tags, version, updatedAt, highlights } = result;
  return (
    <li className={classes['result']}>
      <Group gap="xs" align="baseline">
        <LinkAnchor
          to={`/w/$workspaceId/${kind}s/$documentId`}
          params={{ workspaceId, documentId: id }}
          fw={600}
        >
          <Highlighted parts={highlights.name} />
        </LinkAnchor>
        <Badge size="sm" variant="default" tt="none" fw={500}>
          {libraryTexts.kindNames[kind]}
        </Badge>
      </Group>
      {highlights.text.map((parts, index) => (
        <Text key={index} size="sm" mt={4}>
          <Highlighted parts={parts} />
        </Text>
      ))}
      <TagLinks workspaceId={workspaceId} section={`${kind}s`} tags={tags} />
      <Text size="xs" c="dimmed" component="div" mt={4}>
        {words.version(version)}, <RelativeTime time={updatedAt} inline />
      </Text>
    </li>
  );
}

/** A text with its matching words highlighted. The API returns the parts as plain text, not as HTML. */
function Highlighted({ parts }: { parts: readonly HighlightPart[] }) {
  return parts.map(({ text, isMatch }, index) =>
    isMatch ? (
      <mark key={index} className={classes['match']}>
        {text}
      </mark>
    ) : (
      text
    ),
  );
}

const RESULTS_PER_PAGE = 20;

/** Reads the results of a search, best first. Sends no request if the query is empty. */
function useResults({ query = '', kind }: QuerySearch) {
  const client = useClient();
  const workspaceId = useWorkspaceId();
  return useCursorList({
    queryKey: ['search', workspaceId, { query, kind }],
    enabled: query !== '',
    // A search finds every change that the API has confirmed. Results from the cache could miss recent changes.
    staleTime: 0,
    fetchPage: async (cursor, signal) => {
      const parameters = {
        workspaceId,
        query,
        limit: RESULTS_PER_PAGE,
        ...(kind && { kind }),
        ...(cursor && { cursor }),
      };
      return (await search({ client, query: parameters, signal })).data;
    },
  });
}
