import type { ListPage } from './use-cursor-list.js';

// A page of a filtered list scans up to 5,000 rows.
const MAX_SCANNED_PAGES = 20;

/**
 * Reads pages until a page has rows that match the filter. Stops after 100,000 rows without a match, so that the
 * reader can decide whether to search further back.
 */
export async function readMatchingPage<Row>(
  readPage: (cursor: string | undefined) => Promise<ListPage<Row>>,
  cursor?: string,
): Promise<ListPage<Row>> {
  let page = await readPage(cursor);
  for (let pages = 1; pages < MAX_SCANNED_PAGES; pages += 1) {
    if (page.data.length > 0 || page.nextCursor === null) break;
    page = await readPage(page.nextCursor);
  }
  return page;
}
