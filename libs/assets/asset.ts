import { matchesPrecondition, type Query } from '#database';
import { DomainError, entityTag, parsePrecondition, type Precondition } from '#errors';
import {
  authorise,
  callerColumns,
  joinMember,
  type Actor,
  type CallerRow,
  type Role,
} from '#workspaces';
import type { Picture } from './pictures/picture.js';

/** A picture of a workspace, with its name and tags. */
export interface Asset extends Picture {
  id: string;
  workspaceId: string;
  name: string;
  tags: string[];
  /** The public URL. It contains a digest of the bytes, so it shows the same picture for ever. */
  url: string;
  createdAt: Date;
  createdBy: string;
  updatedAt: Date;
  updatedBy: string;
  /** Null unless the asset is in the trash. */
  deletedAt: Date | null;
  /** The end of the time in which a deleted asset can be restored; null unless the asset is in the trash. */
  expiresAt: Date | null;
}

export type AssetRow = Omit<Asset, 'url'> & { hash: string; fileName: string };

/** The columns of an `AssetRow`, from the tables `asset` and `content`. */
export const ASSET_COLUMNS = `asset.id, asset.workspace_id AS "workspaceId", asset.name, asset.tags, content.hash,
  content.file_name AS "fileName", content.type, content.width, content.height, content.bytes,
  asset.created_at AS "createdAt", asset.created_by AS "createdBy", asset.updated_at AS "updatedAt",
  asset.updated_by AS "updatedBy", asset.deleted_at AS "deletedAt", asset.expires_at AS "expiresAt"`;

/** The path below which pictures are public. Documents refer to pictures by this path. */
export const ASSETS_PATH = '/assets/';

/** @param baseUrl ends without a slash. */
export const toAsset = ({ hash, fileName, ...asset }: AssetRow, baseUrl: string): Asset => ({
  ...asset,
  url: `${baseUrl}${ASSETS_PATH}${hash}/${fileName}`,
});

/** Whether a statement finds assets that are in use, or those in the trash. */
export type Place = 'library' | 'trash';

export const isIn = (place: Place, asset = 'asset'): string =>
  `${asset}.deleted_at IS ${place === 'trash' ? 'NOT NULL' : 'NULL'}`;

/** Joins the asset $2 and its content for the caller $1. */
export const fromAsset = (place: Place): string => `FROM users caller
  LEFT JOIN assets asset ON asset.id = $2 AND ${isIn(place)}
  LEFT JOIN asset_contents content ON content.hash = asset.hash
  ${joinMember('asset.workspace_id')}`;

const readStatement = (place: Place): string =>
  `SELECT ${callerColumns('asset.id')}, ${ASSET_COLUMNS} ${fromAsset(place)} WHERE caller.id = $1`;
const READ: Record<Place, string> = {
  library: readStatement('library'),
  trash: readStatement('trash'),
};

export async function readAsset(
  query: Query,
  actor: Actor,
  id: string,
  role: Role,
  place: Place = 'library',
): Promise<AssetRow> {
  const [row] = await query<CallerRow & AssetRow>(READ[place], [actor.userId, id]);
  return authorise(row, role, 'picture');
}

const LOCK_ASSET = `SELECT FROM assets WHERE id = $1 AND ${matchesPrecondition('$2')} FOR UPDATE`;

/** Locks and loads an asset for a change by an editor. The statements are sent together. */
export async function lockAsset(
  query: Query,
  actor: Actor,
  id: string,
  { place = 'library', precondition }: { place?: Place; precondition?: Precondition } = {},
): Promise<AssetRow> {
  const [lockedRows, asset] = await Promise.all([
    query(LOCK_ASSET, [id, parsePrecondition(precondition)]),
    readAsset(query, actor, id, 'editor', place),
  ]);
  if (lockedRows.length === 0) throw DomainError.stale(entityTag(asset));
  return asset;
}
