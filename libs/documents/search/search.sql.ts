import { documentKinds } from '../document/fields.js';

// At most this many documents are ranked, which takes a few milliseconds. If more documents match, the others are left
// out.
export const MAX_RANKED = 250;
// The search for similar names scans this many documents of each kind: the most recently changed ones.
const MAX_SIMILAR_SCANNED = 1_000;
// A name is similar if it contains more than this share of the trigrams of every word in the query. A trigram is three
// consecutive characters of ` word `, including the spaces. If two adjacent letters of a seven-letter word are swapped,
// three of its seven trigrams remain.
const MIN_SIMILARITY = 0.4;
// Highlights are taken from this many characters at the beginning of the content. They usually contain the first 16,384
// characters of the text, unless the text is only a small part of the content.
const HIGHLIGHTED_LENGTH = 131_072;

const documentsWithWords = (place: 'name' | 'text'): string =>
  `SELECT * FROM documents_with_words(member.workspace_id, $3, ${place === 'name'}, $4, ${MAX_RANKED})`;

/** The number of words in the query that are words of the name or prefixes of such words. */
const COUNT_WORDS = `(
  SELECT count(*) FROM unnest($3::text[]) word WHERE strpos(name_words, ' ' || word) > 0
)`;

/**
 * The similarity of a name to the query. For each word of the query, the name contains a certain share of the word's
 * trigrams. The smallest of these shares is the similarity.
 */
const SIMILARITY = `(
  SELECT min(part) FROM unnest($3::text[]) word CROSS JOIN LATERAL (
    SELECT avg((strpos(name_words, substr(' ' || word || ' ', place, 3)) > 0)::integer) AS part
    FROM generate_series(1, length(word)) place
  ) trigrams
)`;

const SIMILAR_NAMES = `
  SELECT scanned.* FROM (
    SELECT id FROM unnest(ARRAY[${documentKinds.map((kind) => `'${kind}'`).join(', ')}]) AS searched (kind)
    CROSS JOIN LATERAL (
      SELECT id FROM documents
      WHERE workspace_id = member.workspace_id AND kind = searched.kind
        AND (SELECT count(*) FROM matching) = 0 AND ($4::text IS NULL OR $4 = searched.kind)
      ORDER BY updated_at DESC, id DESC LIMIT ${MAX_SIMILAR_SCANNED}
    ) newest
  ) newest CROSS JOIN LATERAL (
    SELECT document_id, kind, name_words FROM document_words WHERE document_id = newest.id LIMIT 1
  ) scanned
  WHERE ${SIMILARITY} > ${MIN_SIMILARITY}`;

/**
 * Selects a page of search results from `member.workspace_id`.
 *
 * Parameters: $3 contains the words, $4 the kind or NULL, $5 the limit, and $6 the number of earlier results.
 *
 * - matching: documents with all words, at most `MAX_RANKED`.
 * - matching_names: documents with all words in their names, read only if `matching` reached `MAX_RANKED`.
 * - candidate: the documents of both CTEs. If there are none, documents with similar names.
 */
export const SEARCH = `
  WITH matching AS MATERIALIZED (${documentsWithWords('text')}),
  matching_names AS MATERIALIZED (
    SELECT named.* FROM (SELECT WHERE (SELECT count(*) FROM matching) = ${MAX_RANKED}) more
    CROSS JOIN LATERAL (${documentsWithWords('name')}) named
  ), candidate AS MATERIALIZED (
    SELECT * FROM matching
    UNION SELECT * FROM matching_names
    UNION ALL (${SIMILAR_NAMES})
  )
  SELECT ranked.*, left((
      SELECT content FROM document_versions WHERE document_id = ranked.id AND version = ranked.version
    )::text, ${HIGHLIGHTED_LENGTH}) AS content
  FROM (
    SELECT document.id, candidate.kind, document.name, document.workspace_id AS "workspaceId",
      document.tags, document.version, document.created_at AS "createdAt",
      document.updated_at AS "updatedAt",
      row_number() OVER (
        ORDER BY starts_with(name_words, ' ' || array_to_string($3::text[], ' ')) DESC,
          ${COUNT_WORDS} DESC,
          CASE WHEN (SELECT count(*) FROM matching) = 0 THEN ${SIMILARITY} END DESC NULLS LAST,
          document.updated_at DESC, document.id
      ) AS place
    FROM candidate CROSS JOIN LATERAL (
      SELECT * FROM documents WHERE id = candidate.document_id LIMIT 1
    ) document
    ORDER BY place LIMIT $5 OFFSET $6
  ) ranked`;
