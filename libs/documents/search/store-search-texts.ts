import type { Transaction } from '#database';
import { inChunks } from '../batch-operations.js';
import type { AnyDocumentType } from '../document-type.js';
import type { JsonText } from '../json-text.js';
import { searchTextOf, storeSearchText } from './search-text.js';

interface Write {
  id: string;
  row: Record<string, string>;
  content?: JsonText | undefined;
}

/** Stores what a search finds of documents that the same transaction has written. */
export async function storeSearchTexts(
  { beforeCommit }: Pick<Transaction, 'beforeCommit'>,
  type: AnyDocumentType,
  workspaceId: string,
  writes: readonly Write[],
): Promise<void> {
  await inChunks(writes, async (chunk) => {
    const texts = await Promise.all(
      chunk.map(({ id, row, content }) =>
        searchTextOf({ id, workspaceId, name: row['name'] ?? '' }, content),
      ),
    );
    beforeCommit(
      storeSearchText(
        type,
        `SELECT document.id, document.workspace_id, document.version, input.name_keys, input.text, input.lexemes
         FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[]) AS input (id, name_keys, text, lexemes)
         CROSS JOIN LATERAL (SELECT * FROM ${type.table} WHERE id = input.id LIMIT 1) document`,
      ),
      [
        chunk.map(({ id }) => id),
        texts.map(({ nameKeys }) => nameKeys),
        texts.map(({ text }) => text),
        texts.map(({ lexemes }) => lexemes),
      ],
    );
    return [];
  });
}
