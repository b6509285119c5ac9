// So many documents are ranked, which takes some milliseconds. A query that more documents match ranks a part of them.
export const MAX_RANKED = 250;
// In these many documents of each kind, the ones that changed last, names may be similar to the query.
const MAX_SIMILAR_SCANNED = 1_000;
// A similar name has more than this part of the trigrams of each word: three characters in a row of ` word `. A
// word of seven letters with two letters exchanged keeps 3 of 7.
const MIN_SIMILARITY = 0.4;

const findInSlices = (slices: string): string =>
  `SELECT * FROM search_in_slices(member.workspace_id, ${slices}, $5, ${MAX_RANKED})`;

/** How many keys of the query are words, or the beginnings of words, of the name. */
const COUNT_WORDS = `(
  SELECT count(*) FROM unnest($8::text[]) key WHERE strpos(' ' || name_keys, ' ' || key) > 0
)`;

/** The part of the trigrams that the name has, of the key that has the fewest. */
const SIMILARITY = `(
  SELECT min(part) FROM unnest($8::text[]) key CROSS JOIN LATERAL (
    SELECT avg((strpos(' ' || name_keys || ' ', substr(' ' || key || ' ', place, 3)) > 0)::integer) AS part
    FROM generate_series(1, length(key)) place
  ) trigrams
)`;

const similarNames = (kind: string): string => `
  SELECT scanned.* FROM (
    SELECT id FROM ${kind}s WHERE workspace_id = member.workspace_id
      AND (SELECT count(*) FROM matching) = 0 AND ($5::text IS NULL OR $5 = '${kind}')
    ORDER BY updated_at DESC, id DESC LIMIT ${MAX_SIMILAR_SCANNED}
  ) newest CROSS JOIN LATERAL (
    SELECT document_id, kind, name_keys FROM document_search WHERE document_id = newest.id LIMIT 1
  ) scanned
  WHERE ${SIMILARITY} > ${MIN_SIMILARITY}`;

const documentsOf = (kind: string): string => `
  SELECT * FROM (
    SELECT id, name, workspace_id, tags, version, created_at, updated_at FROM ${kind}s
    WHERE id = candidate.document_id AND candidate.kind = '${kind}' LIMIT 1
  ) ${kind}`;

/**
 * A page of the results of a search in `member.workspace_id`.
 *
 * Parameters: $3 and $4 are the tsqueries of `SearchQuery`, $5 is the kind or NULL, $6 the limit, $7 the number
 * of earlier results, $8 the keys.
 *
 * - matching: documents with all words, at most `MAX_RANKED`.
 * - matching_names: only if there are more: documents with all words in their names.
 * - candidate: also, only if no document matches, similar names.
 */
export const SEARCH = `
  WITH matching AS MATERIALIZED (${findInSlices('$3')}),
  matching_names AS MATERIALIZED (
    SELECT * FROM (${findInSlices('$4')}) named WHERE (SELECT count(*) FROM matching) = ${MAX_RANKED}
  ), candidate AS MATERIALIZED (
    SELECT * FROM matching
    UNION SELECT * FROM matching_names
    UNION ALL (${similarNames('template')})
    UNION ALL (${similarNames('module')})
  )
  SELECT ranked.*, (SELECT text FROM document_search WHERE document_id = ranked.id) AS text
  FROM (
    SELECT document.id, candidate.kind, document.name, document.workspace_id AS "workspaceId",
      document.tags, document.version, document.created_at AS "createdAt",
      document.updated_at AS "updatedAt",
      row_number() OVER (
        ORDER BY starts_with(name_keys, array_to_string($8::text[], ' ')) DESC,
          ${COUNT_WORDS} DESC,
          CASE WHEN (SELECT count(*) FROM matching) = 0 THEN ${SIMILARITY} END DESC NULLS LAST,
          document.updated_at DESC, document.id
      ) AS place
    FROM candidate CROSS JOIN LATERAL (
      ${documentsOf('template')} UNION ALL ${documentsOf('module')}
    ) document
    ORDER BY place LIMIT $6 OFFSET $7
  ) ranked`;
