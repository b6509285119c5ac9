import { runInSlices } from '#database';
import type { AnyDocumentType } from '../document-type.js';
import type { JsonText } from '../json-text.js';
import { extractText } from './extract-text.js';
import { lexemeOf, PLACE_POSITION, sliceOf, type Place } from './lexemes.js';
import { keysIn } from './words.js';

/** What a search finds of a document. */
export interface SearchText {
  /** Words as keys, separated by blanks. */
  nameKeys: string;
  /** Undefined if the document has not changed. */
  text: string | undefined;
  /** A tsvector of the words of the name and, if `text` is defined, of the text. */
  lexemes: string;
}

/** @param content undefined if only the name has changed. */
export async function searchTextOf(
  { id, workspaceId, name }: { id: string; workspaceId: string; name: string },
  content: JsonText | undefined,
): Promise<SearchText> {
  // Keys contain only letters and digits, so a tsvector needs no quotes.
  const lexemesOf = (place: Place, keys: readonly string[]) =>
    keys.map((key) => lexemeOf(workspaceId, sliceOf(id), place, key)).join(' ');
  const names = keysIn(name);
  const nameKeys = names.join(' ');
  const nameLexemes = lexemesOf('name', names);
  if (content === undefined) return { nameKeys, text: undefined, lexemes: nameLexemes };
  const text = await runInSlices(extractText(content));
  return { nameKeys, text, lexemes: `${nameLexemes} ${lexemesOf('text', keysIn(text))}` };
}

/**
 * SQL that stores what a search finds of documents.
 * @param source a SELECT of `id`, `workspace_id`, `version`, `name_keys`, `text` and `lexemes`. If `text` is
 * null, the stored text stays.
 */
export const storeSearchText = (
  { kind }: AnyDocumentType,
  source: string,
): string => `INSERT INTO document_search AS stored
    (document_id, workspace_id, kind, version, name_keys, text, lexemes)
  SELECT id, workspace_id, '${kind}', version, name_keys, text, lexemes::tsvector FROM (${source}) source
  ON CONFLICT (document_id) DO UPDATE SET
    name_keys = excluded.name_keys,
    text = coalesce(excluded.text, stored.text),
    lexemes = CASE WHEN excluded.text IS NULL
      THEN excluded.lexemes || array_to_tsvector(ARRAY(
        SELECT lexeme FROM unnest(tsvector_to_array(stored.lexemes)) lexeme
        WHERE substr(lexeme, ${PLACE_POSITION}, 1) = 't'
      ))
      ELSE excluded.lexemes END,
    -- A service of the release before may have changed the text since the stored version.
    version = CASE WHEN excluded.text IS NULL AND stored.version < excluded.version - 1
      THEN stored.version ELSE excluded.version END`;
