import type { Query, Transaction } from '#database';
import { v7 as uuidv7 } from 'uuid';
import { audit, type AuditAction } from './audit.js';
import type { ProviderMembership, ProviderOrganization, Source } from './providers/provider.js';
import type { Role } from './roles.js';
import { ensureUser } from './users.js';

const MAX_NAME = 255;

/** An organisation of the provider is a workspace of the same name. */
export async function applyOrganization(
  transaction: Transaction,
  source: Source,
  { id, status, name }: ProviderOrganization,
): Promise<void> {
  const { query } = transaction;
  await lockOrganization(query, source, id);
  if (status === 'deleted') return closeWorkspace(transaction, source, id);
  const workspaceId = await workspaceOf(transaction, source, id, name);
  if (workspaceId === null) return;
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
     UPDATE workspaces SET name = $6, updated_at = clock_timestamp()
     WHERE id = (SELECT workspace_id FROM newer) AND name <> $6
     RETURNING (SELECT name FROM before) AS "from"`,
    [source.issuer, id, occurredAt, eventId, workspaceId, nameOf(name, id)],
  );
  if (renamed) {
    const details = { ...renamed, to: nameOf(name, id) };
    record(transaction, source, workspaceId, 'workspace.renamed', workspaceId, details);
  }
}

/**
 * Whoever is an active member of the organisation is one of its workspace. What was changed here
 * stays until the provider says something else than before.
 */
export async function applyMembership(
  transaction: Transaction,
  source: Source,
  membership: ProviderMembership,
): Promise<void> {
  const { query } = transaction;
  const { organizationId, organizationName, subject } = membership;
  await lockOrganization(query, source, organizationId);
  const workspaceId = await workspaceOf(transaction, source, organizationId, organizationName);
  if (workspaceId === null) return;
  const before = await roleAtProvider(query, source, membership);
  await query(
    `INSERT INTO provider_memberships AS stored (issuer, id, organization_id, subject, role, status,
       provider_updated_at, provider_event_id)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
     ON CONFLICT (issuer, id) DO UPDATE SET role = $5, status = $6,
       provider_updated_at = $7, provider_event_id = $8
     WHERE stored.status <> 'deleted' AND ($6 = 'deleted'
       OR (stored.provider_updated_at, stored.provider_event_id) < ($7, $8))`,
    [
      ...[source.issuer, membership.id, organizationId, subject, membership.role],
      ...[membership.status, source.message.occurredAt, source.message.eventId],
    ],
  );
  const role = await roleAtProvider(query, source, membership);
  if (role === before) return;
  const user = await ensureUser(query, { issuer: source.issuer, subject });
  await changeMember(transaction, source, workspaceId, user, before, role);
}

async function changeMember(
  transaction: Transaction,
  source: Source,
  workspaceId: string,
  user: { id: string; status: string },
  before: Role | null,
  role: Role | null,
): Promise<void> {
  const { query } = transaction;
  if (role === null || user.status === 'deleted') {
    const [removed] = await query<{ role: Role }>(
      'DELETE FROM workspace_members WHERE workspace_id = $1 AND user_id = $2 RETURNING role',
      [workspaceId, user.id],
    );
    if (removed) record(transaction, source, workspaceId, 'member.removed', user.id, removed);
    return;
  }
  const [changed] = await query<{ from: Role | null }>(
    `WITH before AS (
       SELECT role FROM workspace_members WHERE workspace_id = $1 AND user_id = $2
     )
     INSERT INTO workspace_members AS stored (workspace_id, user_id, role) VALUES ($1, $2, $3)
     ON CONFLICT (workspace_id, user_id) DO UPDATE SET role = $3, updated_at = clock_timestamp()
     -- An owner who was made one here is not unmade by a provider that knows no owners.
     WHERE stored.role <> $3 AND (stored.role <> 'owner' OR $4 = 'owner')
     RETURNING (SELECT role FROM before) AS "from"`,
    [workspaceId, user.id, role, before],
  );
  if (!changed) return;
  const action = changed.from === null ? 'member.added' : 'member.role_changed';
  const details = changed.from === null ? { role } : { ...changed, to: role };
  record(transaction, source, workspaceId, action, user.id, details);
}

/**
 * All that gives access to the workspace of a deleted organisation ends. What it holds stays, for a
 * message alone is not to destroy it.
 */
async function closeWorkspace(transaction: Transaction, source: Source, id: string): Promise<void> {
  const [closed] = await transaction.query<{ workspaceId: string }>(
    `WITH organization AS (
       SELECT workspace_id FROM provider_organizations WHERE issuer = $1 AND id = $2
     ), tombstone AS (
       INSERT INTO provider_organizations (issuer, id) VALUES ($1, $2)
       ON CONFLICT (issuer, id) DO UPDATE SET workspace_id = NULL
     ), membership AS (
       DELETE FROM workspace_members
       WHERE workspace_id = (SELECT workspace_id FROM organization)
     ), key AS (
       DELETE FROM api_keys WHERE workspace_id = (SELECT workspace_id FROM organization)
       RETURNING user_id
     ), key_user AS (
       UPDATE users SET status = 'deleted', updated_at = now()
       WHERE id IN (SELECT user_id FROM key)
     )
     SELECT workspace_id AS "workspaceId" FROM organization WHERE workspace_id IS NOT NULL`,
    [source.issuer, id],
  );
  if (!closed) return;
  const { workspaceId } = closed;
  record(transaction, source, workspaceId, 'workspace.closed', workspaceId, { organization: id });
}

/** The workspace of an organisation, made if it is new; null when it is gone for good. */
async function workspaceOf(
  transaction: Transaction,
  source: Source,
  id: string,
  name: string,
): Promise<string | null> {
  const [known] = await transaction.query<{ workspaceId: string | null }>(
    `SELECT workspace_id AS "workspaceId" FROM provider_organizations
     WHERE issuer = $1 AND id = $2`,
    [source.issuer, id],
  );
  if (known) return known.workspaceId;
  const workspaceId = uuidv7();
  await transaction.query(
    `WITH workspace AS (
       INSERT INTO workspaces (id, name) VALUES ($3, $4) RETURNING id
     ), feed AS (
       INSERT INTO workspace_feeds (workspace_id) SELECT id FROM workspace
     )
     INSERT INTO provider_organizations (issuer, id, workspace_id) SELECT $1, $2, id FROM workspace`,
    [source.issuer, id, workspaceId, nameOf(name, id)],
  );
  const details = { name: nameOf(name, id), organization: id };
  record(transaction, source, workspaceId, 'workspace.created', workspaceId, details);
  return workspaceId;
}

/** The role that the newest active membership gives; null without one. */
async function roleAtProvider(
  query: Query,
  { issuer }: Source,
  { organizationId, subject }: ProviderMembership,
): Promise<Role | null> {
  const [row] = await query<{ role: Role }>(
    `SELECT role FROM provider_memberships
     WHERE issuer = $1 AND organization_id = $2 AND subject = $3 AND status = 'active'
     ORDER BY provider_updated_at DESC, provider_event_id DESC LIMIT 1`,
    [issuer, organizationId, subject],
  );
  return row?.role ?? null;
}

/** Messages of one organisation wait for each other, though there may be no row yet to wait for. */
const lockOrganization = (query: Query, { issuer }: Source, id: string): Promise<unknown> =>
  query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `galley organization ${issuer} ${id}`,
  ]);

const nameOf = (name: string, id: string): string => name.trim().slice(0, MAX_NAME) || id;

const record = (
  transaction: Transaction,
  { address, message }: Source,
  workspaceId: string,
  action: AuditAction,
  targetId: string,
  details: Record<string, unknown>,
): void =>
  audit(transaction, {
    ...{ by: { userId: null, address }, workspaceId, action, targetId },
    details: { ...details, by: message.provider },
  });
