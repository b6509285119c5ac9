/** A search looks for its words in one slice of a workspace's documents after the other (ADR 21). */
export const SLICES = 256;

/** Where a document has a word. */
export type Place = 'name' | 'text';

export const sliceOf = (documentId: string): number => parseInt(documentId.slice(-2), 16);

/**
 * How `document_search.lexemes` stores a word: the entries of a workspace are together in the index, and within
 * them the entries of a slice. The character after the first ten is the place.
 */
export const lexemeOf = (workspaceId: string, slice: number, place: Place, key: string): string =>
  workspaceId.slice(-8).toLowerCase() + slice.toString(16).padStart(2, '0') + place.charAt(0) + key;

/** The position in a lexeme, from 1, of the character that tells the place. */
export const PLACE_POSITION = 11;
