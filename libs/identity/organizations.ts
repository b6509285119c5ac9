import { nextUpdatedAt, type Query, type Transaction } from '#database';
import { audit, type AuditAction, type Role } from '#workspaces';
import { v7 as uuidv7 } from 'uuid';
import type {
  ProviderMembership,
  ProviderOrganization,
  MessageSource,
} from './providers/provider.js';
import { ensureUser } from './users.js';

/** Creates, renames or closes the workspace that belongs to an organization of the provider. */
export async function applyOrganization(
  transaction: Transaction,
  source: MessageSource,
  { id, status, name }: ProviderOrganization,
): Promise<void> {
  const { query } = transaction;
  await lockOrganization(query, source, id);
  if (status === 'deleted') return closeWorkspace(transaction, source, id);
  const workspaceId = await findOrCreateWorkspace(transaction, source, id, name);
  if (workspaceId === null) return;
  await lockWorkspaceRow(query, workspaceId, 'FOR NO KEY UPDATE');
  const { eventId, occurredAt } = source.message;
  const [renamed] = await query<{ from: string }>(
    `WITH newer AS (
       UPDATE provider_organizations SET provider_updated_at = $3, provider_event_id = $4
       WHERE issuer = $1 AND id = $2 AND (provider_updated_at IS NULL
         OR (provider_updated_at, provider_event_id) < ($3, $4))
       RETURNING workspace_id
     ), before AS (
       SELECT name FROM workspaces WHERE id = $5
     )
     UPDATE workspaces SET name = $6, updated_at = ${nextUpdatedAt}
     WHERE id = (SELECT workspace_id FROM newer) AND name <> $6
     RETURNING (SELECT name FROM before) AS "from"`,
    [source.issuer, id, occurredAt, eventId, workspaceId, workspaceNameOf(name, id)],
  );
  if (renamed) {
    const details = { ...renamed, to: workspaceNameOf(name, id) };
    auditProviderChange(
      transaction,
      source,
      workspaceId,
      'workspace.renamed',
      workspaceId,
      details,
    );
  }
}

/**
 * Applies a change of one membership to the organization's workspace: adds the member, changes the member's role, or
 * removes the member if the membership is no longer active. A role that was changed in Galley stays until the role at
 * the provider changes.
 */
export async function applyMembership(
  transaction: Transaction,
  source: MessageSource,
  membership: ProviderMembership,
): Promise<void> {
  const { query } = transaction;
  const { organizationId, organizationName, subject } = await completeFromStored(
    query,
    source,
    membership,
  );
  await lockOrganization(query, source, organizationId);
  const workspaceId =
    organizationId === ''
      ? null
      : await findOrCreateWorkspace(transaction, source, organizationId, organizationName);
  if (workspaceId !== null) await lockWorkspaceRow(query, workspaceId, 'FOR NO KEY UPDATE');
  const membershipKey = { organizationId, subject };
  const previousRole = await loadProviderRole(query, source, membershipKey);
  await query(
    `INSERT INTO provider_memberships AS stored (issuer, id, organization_id, subject, role, status,
       provider_updated_at, provider_event_id)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
     ON CONFLICT (issuer, id) DO UPDATE SET role = $5, status = $6,
       provider_updated_at = $7, provider_event_id = $8
     WHERE stored.status <> 'deleted' AND ($6 = 'deleted'
       OR (stored.provider_updated_at, stored.provider_event_id) < ($7, $8))`,
    [
      source.issuer,
      membership.id,
      organizationId,
      subject,
      membership.role,
      membership.status,
      source.message.occurredAt,
      source.message.eventId,
    ],
  );
  const newRole = await loadProviderRole(query, source, membershipKey);
  if (workspaceId === null || newRole === previousRole) return;
  const user = await ensureUser(query, { issuer: source.issuer, subject });
  await setMemberRole(transaction, source, workspaceId, user, previousRole, newRole);
}

/** If a deletion message does not name the organization and the user, the stored membership supplies them. */
async function completeFromStored(
  query: Query,
  { issuer }: MessageSource,
  membership: ProviderMembership,
): Promise<ProviderMembership> {
  if (membership.organizationId !== '') return membership;
  const [stored] = await query<Pick<ProviderMembership, 'organizationId' | 'subject'>>(
    `SELECT organization_id AS "organizationId", subject FROM provider_memberships
     WHERE issuer = $1 AND id = $2`,
    [issuer, membership.id],
  );
  return { ...membership, ...stored };
}

async function setMemberRole(
  transaction: Transaction,
  source: MessageSource,
  workspaceId: string,
  user: { id: string; status: string },
  previousRole: Role | null,
  newRole: Role | null,
): Promise<void> {
  const { query } = transaction;
  if (newRole === null || user.status === 'deleted') {
    const [removed] = await query<{ role: Role }>(
      'DELETE FROM workspace_members WHERE workspace_id = $1 AND user_id = $2 RETURNING role',
      [workspaceId, user.id],
    );
    if (removed)
      auditProviderChange(transaction, source, workspaceId, 'member.removed', user.id, removed);
    return;
  }
  const [changed] = await query<{ from: Role | null }>(
    `WITH before AS (
       SELECT role FROM workspace_members WHERE workspace_id = $1 AND user_id = $2
     )
     INSERT INTO workspace_members AS stored (workspace_id, user_id, role) VALUES ($1, $2, $3)
     ON CONFLICT (workspace_id, user_id) DO UPDATE SET role = $3, updated_at = clock_timestamp()
     -- A provider that does not know owners must not demote an owner who was appointed in Galley.
     WHERE stored.role <> $3 AND (stored.role <> 'owner' OR $4 = 'owner')
     RETURNING (SELECT role FROM before) AS "from"`,
    [workspaceId, user.id, newRole, previousRole],
  );
  if (!changed) return;
  const action = changed.from === null ? 'member.added' : 'member.role_changed';
  const details = changed.from === null ? { role: newRole } : { ...changed, to: newRole };
  auditProviderChange(transaction, source, workspaceId, action, user.id, details);
}

/**
 * Ends all access to the workspace of a deleted organization. The workspace's contents stay: one message
 * alone must not destroy them.
 */
async function closeWorkspace(
  transaction: Transaction,
  source: MessageSource,
  id: string,
): Promise<void> {
  const { query } = transaction;
  const workspaceId = await findWorkspaceId(query, source, id);
  // Waits for transactions that are adding a member or a key, so that this transaction sees the new member or key.
  const workspaceExists = workspaceId && (await lockWorkspaceRow(query, workspaceId, 'FOR UPDATE'));
  await query(
    `INSERT INTO provider_organizations (issuer, id) VALUES ($1, $2)
     ON CONFLICT (issuer, id) DO UPDATE SET workspace_id = NULL`,
    [source.issuer, id],
  );
  if (!workspaceExists) return;
  await query(
    `WITH membership AS (
       DELETE FROM workspace_members WHERE workspace_id = $1
     ), key AS (
       DELETE FROM api_keys WHERE workspace_id = $1 RETURNING user_id
     )
     UPDATE users SET status = 'deleted', updated_at = now()
     WHERE id IN (SELECT user_id FROM key)`,
    [workspaceId],
  );
  auditProviderChange(transaction, source, workspaceId, 'workspace.closed', workspaceId, {
    organization: id,
  });
}

/**
 * Returns the workspace of an organization, and creates it if the organization is new. Returns null if the organization
 * or the workspace was permanently deleted.
 */
async function findOrCreateWorkspace(
  transaction: Transaction,
  source: MessageSource,
  id: string,
  name: string,
): Promise<string | null> {
  const existing = await findWorkspaceId(transaction.query, source, id);
  if (existing !== undefined) return existing;
  const workspaceId = uuidv7();
  await transaction.query(
    `WITH workspace AS (
       INSERT INTO workspaces (id, name) VALUES ($3, $4) RETURNING id
     ), feed AS (
       INSERT INTO workspace_feeds (workspace_id) SELECT id FROM workspace
     )
     INSERT INTO provider_organizations (issuer, id, workspace_id) SELECT $1, $2, id FROM workspace`,
    [source.issuer, id, workspaceId, workspaceNameOf(name, id)],
  );
  const details = { name: workspaceNameOf(name, id), organization: id };
  auditProviderChange(transaction, source, workspaceId, 'workspace.created', workspaceId, details);
  return workspaceId;
}

/**
 * Returns the workspace of an organization; null if the organization or its workspace was permanently deleted,
 * undefined if the organization is unknown.
 */
async function findWorkspaceId(
  query: Query,
  { issuer }: MessageSource,
  id: string,
): Promise<string | null | undefined> {
  const [row] = await query<{ workspaceId: string | null }>(
    `SELECT workspace_id AS "workspaceId" FROM provider_organizations
     WHERE issuer = $1 AND id = $2`,
    [issuer, id],
  );
  return row?.workspaceId;
}

/** Returns the role of the newest active membership; null if there is none. */
async function loadProviderRole(
  query: Query,
  { issuer }: MessageSource,
  { organizationId, subject }: Pick<ProviderMembership, 'organizationId' | 'subject'>,
): Promise<Role | null> {
  const [row] = await query<{ role: Role }>(
    `SELECT role FROM provider_memberships
     WHERE issuer = $1 AND organization_id = $2 AND subject = $3 AND status = 'active'
     ORDER BY provider_updated_at DESC, provider_event_id DESC LIMIT 1`,
    [issuer, organizationId, subject],
  );
  return row?.role ?? null;
}

/** Serialises the messages of one organization. This is an advisory lock, because there may be no row to lock yet. */
const lockOrganization = (query: Query, { issuer }: MessageSource, id: string): Promise<unknown> =>
  query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `galley organization ${issuer} ${id}`,
  ]);

/**
 * Locks the row of a workspace. Every change to a workspace locks this row before the rows that refer to it, which
 * prevents deadlocks. Returns whether the workspace exists.
 */
async function lockWorkspaceRow(query: Query, id: string, strength: string): Promise<boolean> {
  const rows = await query(`SELECT FROM workspaces WHERE id = $1 ${strength}`, [id]);
  return rows.length > 0;
}

const workspaceNameOf = (name: string, id: string): string => name.trim() || id;

const auditProviderChange = (
  transaction: Transaction,
  { ipAddress, message }: MessageSource,
  workspaceId: string,
  action: AuditAction,
  targetId: string,
  details: Record<string, unknown>,
): void =>
  audit(transaction, {
    actor: { userId: null, ipAddress },
    workspaceId,
    action,
    targetId,
    details: { ...details, by: message.provider },
  });
