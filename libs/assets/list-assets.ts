import type { Keysets, Page, PageRequest, Query } from '#database';
import {
  authoriseList,
  callerColumns,
  fromCallerInWorkspace,
  type Actor,
  type CallerRow,
} from '#workspaces';
import { ASSET_COLUMNS, isIn, type AssetRow } from './asset.js';

export interface AssetsRequest extends PageRequest {
  workspaceId: string;
  /** A text that the name must contain, regardless of case. */
  search?: string;
  tags?: string[];
  /** Whether an asset must have all of the `tags`, or at least one of them. */
  tagsMatch?: 'all' | 'any';
  /** Lists the trash instead. */
  deleted: boolean;
}

// No index covers the filters. A page therefore scans at most this many assets, and then ends with a cursor.
const MAX_SCANNED = 5_000;

const selectPage = (isTrash: boolean): string => `SELECT ${callerColumns('workspace.id')}, page.*
  ${fromCallerInWorkspace('$2')}
  LEFT JOIN LATERAL (
    SELECT ${ASSET_COLUMNS}, matches, rank = ${MAX_SCANNED} AS "isScanEnd" FROM (
      SELECT *, row_number() OVER (ORDER BY updated_at DESC, id DESC) AS rank,
        ($6 = '' OR strpos(lower(name), lower($6)) > 0)
          AND ($7::text[] IS NULL OR CASE WHEN $8 THEN tags @> $7 ELSE tags && $7 END) AS matches
      FROM (
        SELECT * FROM assets
        WHERE workspace_id = member.workspace_id AND ${isIn(isTrash ? 'trash' : 'library', 'assets')}
          AND (updated_at, id) < ($3, $4)
        ORDER BY updated_at DESC, id DESC LIMIT ${MAX_SCANNED}
      ) scanned
    ) asset JOIN asset_contents content ON content.hash = asset.hash
    WHERE matches OR rank = ${MAX_SCANNED}
    ORDER BY rank LIMIT $5
  ) page ON true
  WHERE caller.id = $1 ORDER BY page."updatedAt" DESC, page.id DESC`;
const SELECT_LIBRARY = selectPage(false);
const SELECT_TRASH = selectPage(true);

/**
 * Lists assets, most recently changed first. With a filter, a page may contain fewer assets than `limit`, or none at
 * all, and still have a next cursor.
 */
export async function listAssets(
  query: Query,
  keysets: Keysets,
  actor: Actor,
  request: AssetsRequest,
): Promise<Page<AssetRow>> {
  const { workspaceId, search = '', tags, tagsMatch = 'all', deleted, limit, cursor } = request;
  const keyset = keysets.forList(['assets', workspaceId, search, tags, tagsMatch, deleted]);
  const rows = await query<CallerRow & AssetRow & { matches: boolean; isScanEnd: boolean }>(
    deleted ? SELECT_TRASH : SELECT_LIBRARY,
    [
      actor.userId,
      workspaceId,
      ...keyset.after(cursor),
      limit + 1,
      search,
      tags ?? null,
      tagsMatch === 'all',
    ],
  );
  const scanned = authoriseList(rows, 'viewer', 'workspace');
  const found = scanned
    .filter(({ matches }) => matches)
    .map(({ matches, isScanEnd, ...asset }) => asset);
  const page = keyset.page(found, limit, positionOf);
  const last = scanned.at(-1);
  if (page.nextCursor !== null || !last?.isScanEnd) return page;
  return { ...page, nextCursor: keyset.cursorAt(positionOf(last)) };
}

const positionOf = ({ updatedAt, id }: AssetRow) => [updatedAt, id];
