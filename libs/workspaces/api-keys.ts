import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  Database,
  Keysets,
  Reads,
  noEvent,
  UnitOfWork,
  type Page,
  type PageRequest,
  type Transaction,
} from '#database';
import { DomainError } from '#errors';
import { v7 as uuidv7 } from 'uuid';
import { newIdFor } from './placed-ids.js';
import {
  authoriseList,
  callerColumns,
  fromCallerInWorkspace,
  type Actor,
  type CallerRow,
} from './access.js';
import { audit } from './audit-log.js';
import { PRODUCTION } from './environments.js';
import { API_KEY_ISSUER } from './internal-issuers.js';
import { rightIn } from './roles.js';
import { lockWorkspace } from './workspaces.js';

/** The roles that a key may have. A key cannot be an owner, because a key must not decide who owns a workspace. */
export const keyRoles = ['viewer', 'editor', 'admin'] as const;
export type KeyRole = (typeof keyRoles)[number];

/** Back ends use API keys instead of users' tokens to call the API. */
export interface ApiKey {
  id: string;
  /**
   * The user that the key acts as. The audit log names this user as the actor, and versions name this user as the
   * author.
   */
  userId: string;
  name: string;
  role: KeyRole;
  /** If not null, the key may only read what is published in this environment. */
  environment: string | null;
  /** The first characters of the key. */
  prefix: string;
  expiresAt: Date | null;
  /**
   * The time of the last use; null if the key was never used. The last use may be up to a minute later than this time,
   * because a verified key stays in memory for a minute.
   */
  lastUsedAt: Date | null;
  createdBy: string;
  createdAt: Date;
}

export interface NewApiKey {
  name: string;
  role: KeyRole;
  environment?: string | null;
  expiresAt?: Date | null;
}

// The role of keys that are limited to an environment. It ranks below all others, so a statement that checks the
// caller's role refuses such keys unless it handles this role explicitly.
const LIMITED_ROLE = 'published';

// Secret scanners for repositories and logs recognise a leaked key by this prefix.
const KEY_PREFIX = 'glk_';
const DISPLAYED_LENGTH = KEY_PREFIX.length + 6;
const KEY_PATTERN = /^glk_[\w-]{43}$/;
// Revoking a key deletes its row, so Galley cannot tell a revoked key from an unknown one.
const UNKNOWN_KEY_MESSAGE = 'The API key does not exist, or has been revoked.';

const API_KEY_COLUMNS = `key.id, key.user_id AS "userId", key.name,
  CASE membership.role WHEN '${LIMITED_ROLE}' THEN 'viewer' ELSE membership.role END AS role, key.environment,
  key.prefix, key.expires_at AS "expiresAt", key.last_used_at AS "lastUsedAt", key.created_by AS "createdBy", key.created_at AS "createdAt"`;

const NO_EVENT_REASON = 'keys have no events';

@Injectable()
export class ApiKeys {
  constructor(
    private readonly database: Database,
    private readonly reads: Reads,
    private readonly unitOfWork: UnitOfWork,
    private readonly keysets: Keysets,
  ) {}

  /** Creates a key. Only the response to this request contains the key itself. */
  create(
    actor: Actor,
    workspaceId: string,
    { name, role, environment = null, expiresAt = null }: NewApiKey,
  ): Promise<ApiKey & { key: string }> {
    return this.unitOfWork.write(async (transaction) => {
      await lockWorkspace(transaction, actor, workspaceId, 'admin');
      transaction.requireForReplay(rightIn(workspaceId, 'admin'));
      // Checked after the look-up of the idempotency key, because a retry that arrives after the expiry must get the
      // stored response.
      if (expiresAt && expiresAt.getTime() <= Date.now()) {
        throw DomainError.invalid('expiresAt', 'expiresAt must be in the future');
      }
      if (environment !== null) {
        await requireEnvironment(transaction, workspaceId, environment, role);
      }
      const key = KEY_PREFIX + randomBytes(32).toString('base64url');
      const [created] = await transaction.query<ApiKey>(
        `WITH service AS (
           INSERT INTO users (id, issuer, subject, first_name, kind)
           VALUES ($3, '${API_KEY_ISSUER}', $2::uuid::text, $4, 'key') RETURNING id
         ), membership AS (
           INSERT INTO workspace_members (workspace_id, user_id, role)
           SELECT $1, id, $5 FROM service RETURNING role
         ), key AS (
           INSERT INTO api_keys (id, workspace_id, user_id, name, hash, prefix, expires_at, created_by, environment)
           SELECT $2, $1, id, $4, $6, $7, $8, $9, $10 FROM service RETURNING *
         )
         SELECT ${API_KEY_COLUMNS} FROM key, membership`,
        [
          workspaceId,
          newIdFor(workspaceId),
          uuidv7(),
          name.trim(),
          environment === null ? role : LIMITED_ROLE,
          hashKey(key),
          key.slice(0, DISPLAYED_LENGTH),
          expiresAt,
          actor.userId,
          environment,
        ],
      );
      if (created === undefined) throw new Error('An INSERT returned no row.');
      const details = {
        name: created.name,
        role,
        expiresAt,
        ...(environment !== null && { environment }),
      };
      audit(transaction, {
        actor,
        workspaceId,
        action: 'key.created',
        targetId: created.id,
        details,
      });
      return noEvent({ ...created, key }, NO_EVENT_REASON);
    }, actor.idempotencyKey);
  }

  /** Lists keys, newest first. */
  async list(
    actor: Actor,
    workspaceId: string,
    { limit, cursor }: PageRequest,
  ): Promise<Page<ApiKey>> {
    const keyset = this.keysets.forList(['keys', workspaceId]);
    const rows = await this.database.query<CallerRow & ApiKey>(
      `SELECT ${callerColumns('workspace.id')}, page.* ${fromCallerInWorkspace('$2')}
       LEFT JOIN LATERAL (
         SELECT ${API_KEY_COLUMNS} FROM api_keys key
         JOIN workspace_members membership
           ON membership.workspace_id = key.workspace_id AND membership.user_id = key.user_id
         WHERE key.workspace_id = member.workspace_id AND (key.created_at, key.id) < ($3, $4)
         ORDER BY key.created_at DESC, key.id DESC LIMIT $5
       ) page ON true
       WHERE caller.id = $1 ORDER BY page."createdAt" DESC, page.id DESC`,
      [actor.userId, workspaceId, ...keyset.after(cursor), limit + 1],
    );
    const keys = authoriseList(rows, 'admin', 'workspace');
    return keyset.page(keys, limit, ({ createdAt, id }) => [createdAt, id]);
  }

  /** Revokes a key. The next request with the key is rejected. */
  async revoke(actor: Actor, workspaceId: string, id: string): Promise<void> {
    let userId: string | undefined;
    const written = this.unitOfWork.write(async (transaction) => {
      await lockWorkspace(transaction, actor, workspaceId, 'admin');
      // The user that the key acted as stays, because versions and audit entries name the user as their author.
      const [revoked] = await transaction.query<{ userId: string; name: string }>(
        `WITH key AS (
           DELETE FROM api_keys WHERE id = $2 AND workspace_id = $1 RETURNING user_id, name
         ), membership AS (
           DELETE FROM workspace_members
           WHERE workspace_id = $1 AND user_id = (SELECT user_id FROM key)
         )
         UPDATE users SET status = 'deleted', updated_at = now()
         WHERE id = (SELECT user_id FROM key) RETURNING id AS "userId", (SELECT name FROM key)`,
        [workspaceId, id],
      );
      if (revoked === undefined) throw DomainError.notFound('key');
      userId = revoked.userId;
      audit(transaction, {
        actor,
        workspaceId,
        action: 'key.revoked',
        targetId: id,
        details: { name: revoked.name },
      });
      return noEvent(undefined, NO_EVENT_REASON);
    });
    // Later requests with the key must not read from a replica on which the key is still valid. `remember` is also
    // called after an error, because the transaction may have committed anyway.
    await written.finally(() => userId && this.reads.remember(userId));
  }

  /**
   * Returns the user that a key acts as, and the time at which the key expires.
   *
   * @throws DomainError `unauthorized` if the key does not exist or has expired.
   */
  async authenticate(key: string): Promise<{ userId: string; expiresAt: Date | null }> {
    if (!KEY_PATTERN.test(key)) throw DomainError.unauthorized(UNKNOWN_KEY_MESSAGE);
    const [row] = await this.database.query<{
      userId: string;
      expiresAt: Date | null;
      isValid: boolean;
    }>(
      `WITH key AS (
         SELECT id, user_id, expires_at, coalesce(expires_at > now(), true) AS is_valid
         FROM api_keys WHERE hash = $1
       ), used AS (
         UPDATE api_keys SET last_used_at = now()
         WHERE id = (SELECT id FROM key WHERE is_valid)
       )
       SELECT user_id AS "userId", expires_at AS "expiresAt", is_valid AS "isValid" FROM key`,
      [hashKey(key)],
    );
    if (row === undefined) throw DomainError.unauthorized(UNKNOWN_KEY_MESSAGE);
    if (!row.isValid) throw DomainError.unauthorized('The API key has expired.');
    const { userId, expiresAt } = row;
    return { userId, expiresAt };
  }
}

/**
 * Rejects a key that is limited to an environment if the environment does not exist, or if the role is not `viewer`.
 */
async function requireEnvironment(
  { query }: Transaction,
  workspaceId: string,
  environment: string,
  role: KeyRole,
): Promise<void> {
  if (role !== 'viewer') {
    throw DomainError.invalid(
      'role',
      'role must be viewer if environment is set: the key may only read what is published there',
    );
  }
  if (environment === PRODUCTION) return;
  const [found] = await query(
    'SELECT 1 FROM environments WHERE workspace_id = $1 AND name = $2 FOR KEY SHARE',
    [workspaceId, environment],
  );
  if (found === undefined) throw DomainError.notFound('environment');
}

export const isApiKey = (token: string): boolean => token.startsWith(KEY_PREFIX);

const hashKey = (key: string): Buffer => createHash('sha256').update(key).digest();
