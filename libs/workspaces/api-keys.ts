import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database, Keysets, noEvent, UnitOfWork, type Page, type PageRequest } from '#database';
import { DomainError } from '#errors';
import { v7 as uuidv7 } from 'uuid';
import {
  authoriseList,
  callerColumns,
  fromCallerInWorkspace,
  type Actor,
  type CallerRow,
} from './access.js';
import { audit } from './audit-log.js';
import { API_KEY_ISSUER } from './internal-issuers.js';
import { rightIn } from './roles.js';
import { lockWorkspace } from './workspaces.js';

/** The roles of keys: a key never decides who owns a workspace. */
export const keyRoles = ['viewer', 'editor', 'admin'] as const;
export type KeyRole = (typeof keyRoles)[number];

/** A back end uses a key to call the API, instead of a user's token. */
export interface ApiKey {
  id: string;
  /** The user that the key acts as: in the audit log, and as the author of changes. */
  userId: string;
  name: string;
  role: KeyRole;
  /** How the key begins. */
  prefix: string;
  expiresAt: Date | null;
  /** When the key was last used, to the minute; null if it was never used. */
  lastUsedAt: Date | null;
  createdBy: string;
  createdAt: Date;
}

export interface NewApiKey {
  name: string;
  role: KeyRole;
  expiresAt?: Date | null;
}

// The prefix by which secret scanners of repositories and logs recognize a leaked key.
const KEY_PREFIX = 'glk_';
const DISPLAYED_LENGTH = KEY_PREFIX.length + 6;
const KEY_PATTERN = /^glk_[\w-]{43}$/;
// Revoking a key deletes its row, so Galley cannot tell a revoked key from an unknown one.
const UNKNOWN_KEY_MESSAGE = 'The API key does not exist, or is revoked.';

const API_KEY_COLUMNS = `key.id, key.user_id AS "userId", key.name, membership.role, key.prefix, key.expires_at AS "expiresAt",
  key.last_used_at AS "lastUsedAt", key.created_by AS "createdBy", key.created_at AS "createdAt"`;

const NO_EVENT_REASON = 'keys have no events';

@Injectable()
export class ApiKeys {
  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
    private readonly keysets: Keysets,
  ) {}

  /** Only this response contains the key itself. */
  create(
    actor: Actor,
    workspaceId: string,
    { name, role, expiresAt = null }: NewApiKey,
  ): Promise<ApiKey & { key: string }> {
    return this.unitOfWork.write(async (transaction) => {
      await lockWorkspace(transaction, actor, workspaceId, 'admin');
      transaction.requireForReplay(rightIn(workspaceId, 'admin'));
      // Checked after the idempotency key, because a retry may arrive after the expiry.
      if (expiresAt && expiresAt.getTime() <= Date.now()) {
        throw DomainError.invalid('expiresAt', 'expiresAt must be in the future');
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
           INSERT INTO api_keys (id, workspace_id, user_id, name, hash, prefix, expires_at, created_by)
           SELECT $2, $1, id, $4, $6, $7, $8, $9 FROM service RETURNING *
         )
         SELECT ${API_KEY_COLUMNS} FROM key, membership`,
        [
          workspaceId,
          uuidv7(),
          uuidv7(),
          name.trim(),
          role,
          hashKey(key),
          key.slice(0, DISPLAYED_LENGTH),
          expiresAt,
          actor.userId,
        ],
      );
      if (created === undefined) throw new Error('An INSERT gave no row.');
      const details = { name: created.name, role, expiresAt };
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

  /** Newest first. */
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

  /** Requests with the key are refused from the next request on. */
  revoke(actor: Actor, workspaceId: string, id: string): Promise<void> {
    return this.unitOfWork.write(async (transaction) => {
      await lockWorkspace(transaction, actor, workspaceId, 'admin');
      // The user stays, because versions and audit entries name the user as their author.
      const [revoked] = await transaction.query<{ name: string }>(
        `WITH key AS (
           DELETE FROM api_keys WHERE id = $2 AND workspace_id = $1 RETURNING user_id, name
         ), membership AS (
           DELETE FROM workspace_members
           WHERE workspace_id = $1 AND user_id = (SELECT user_id FROM key)
         )
         UPDATE users SET status = 'deleted', updated_at = now()
         WHERE id = (SELECT user_id FROM key) RETURNING (SELECT name FROM key)`,
        [workspaceId, id],
      );
      if (revoked === undefined) throw DomainError.notFound('key');
      audit(transaction, {
        actor,
        workspaceId,
        action: 'key.revoked',
        targetId: id,
        details: revoked,
      });
      return noEvent(undefined, NO_EVENT_REASON);
    });
  }

  /**
   * The user that a key acts as, and when the key expires.
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

export const isApiKey = (token: string): boolean => token.startsWith(KEY_PREFIX);

const hashKey = (key: string): Buffer => createHash('sha256').update(key).digest();
