import { NIL_UUID, type Keysets, type Page, type PageRequest, type Query } from '#database';
import { DomainError } from '#errors';
import { authoriseList, callerColumns, type Actor, type CallerRow } from '#workspaces';
import { fromAsset, type AssetRow } from './asset.js';

/** A template or module of the workspace whose latest version refers to an asset. */
export interface AssetUsage {
  kind: 'template' | 'module';
  id: string;
  name: string;
  workspaceId: string;
  /** The number of the latest version. */
  version: number;
}

type ScannedUsage = AssetUsage & {
  isCurrent: boolean;
  referringVersion: number;
  isScanEnd: boolean;
};

// Each version that refers to the asset has a row, and only those of latest versions are usages. A page therefore scans
// at most this many rows, and then ends with a cursor.
const MAX_SCANNED = 2_000;

const SELECT_USAGES = `SELECT ${callerColumns('asset.id')}, page.* ${fromAsset('library')}
  LEFT JOIN LATERAL (
    SELECT document.kind, reference.document_id AS id, document.name,
      document.workspace_id AS "workspaceId", document.version,
      reference.version AS "referringVersion", document.id IS NOT NULL AS "isCurrent",
      rank = ${MAX_SCANNED} AS "isScanEnd"
    FROM (
      SELECT *, row_number() OVER (ORDER BY document_id, version) AS rank FROM (
        SELECT document_id, version FROM asset_references
        WHERE hash = asset.hash AND (document_id, version) > ($3, $4::integer) AND member.user_id IS NOT NULL
        ORDER BY document_id, version LIMIT ${MAX_SCANNED}
      ) scanned
    ) reference
    LEFT JOIN LATERAL (
      SELECT * FROM documents
      WHERE id = reference.document_id AND version = reference.version
        AND workspace_id = asset.workspace_id LIMIT 1
    ) document ON true
    WHERE document.id IS NOT NULL OR rank = ${MAX_SCANNED}
    ORDER BY rank LIMIT $5
  ) page ON true
  WHERE caller.id = $1 ORDER BY page.id, page."referringVersion"`;

/**
 * Lists the documents whose latest version refers to an asset, in order of id. A page may contain fewer usages than
 * `limit`, or none at all, and still have a next cursor.
 */
export async function listAssetUsages(
  query: Query,
  keysets: Keysets,
  actor: Actor,
  id: string,
  { limit, cursor }: PageRequest,
): Promise<Page<AssetUsage>> {
  const keyset = keysets.forList(['asset-usages', id], [NIL_UUID, 0]);
  const rows = await query<CallerRow & ScannedUsage>(SELECT_USAGES, [
    actor.userId,
    id,
    ...keyset.after(cursor),
    limit + 1,
  ]);
  const scanned = authoriseList(rows, 'viewer', 'picture');
  const positionOf = ({ id: documentId, referringVersion }: ScannedUsage) => [
    documentId,
    referringVersion,
  ];
  const current = scanned.filter(({ isCurrent }) => isCurrent);
  const page = keyset.page(current, limit, positionOf);
  const last = scanned.at(-1);
  return {
    data: page.data.map(({ isCurrent, referringVersion, isScanEnd, ...usage }) => usage),
    nextCursor: page.nextCursor ?? (last?.isScanEnd ? keyset.cursorAt(positionOf(last)) : null),
  };
}

// The asset stays locked while the usages are counted.
const MAX_COUNTED = 1_000;

const COUNT_USAGES = `SELECT count(*)::integer AS count FROM (
    SELECT FROM asset_references reference
    JOIN documents document ON document.id = reference.document_id
      AND document.version = reference.version AND document.workspace_id = $2
    WHERE reference.hash = $1 LIMIT ${MAX_COUNTED}
  ) usage`;

/** @throws DomainError `in_use` if the latest version of a document refers to the asset. */
export async function refuseUsed(query: Query, { hash, workspaceId }: AssetRow): Promise<void> {
  const [row] = await query<{ count: number }>(COUNT_USAGES, [hash, workspaceId]);
  const count = row?.count ?? 0;
  if (count === 0) return;
  const users =
    count === 1 ? 'A template or module refers' : `${count} templates and modules refer`;
  throw new DomainError(
    'in_use',
    `${users} to this picture. Remove the references, or send force=true to delete the picture anyway.`,
  );
}
