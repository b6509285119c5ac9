import { Injectable, Logger } from '@nestjs/common';
import { Encryption, MissingKey } from '#encryption';
import { DomainError, errorCodes } from '#errors';
import type { Query } from './connection/statements.js';
import { Database } from './database.js';
import { KeyedMutex } from './keyed-mutex.js';
import { sqlState } from './connection/sql-state.js';
import { untilShortChunk } from './until-short-chunk.js';

/** A response as it is stored for repeated requests. */
export interface StoredResponse {
  status: number;
  headers: Record<string, string>;
  /** Empty if the response has no body. */
  body: Buffer;
}

/** The idempotency key of a request. The request takes effect only once, however often it is sent. */
export interface IdempotencyKey {
  /** The caller who sent the key. Callers do not share keys: the same key from another caller is a different key. */
  userId: string;
  key: string;
  /** A hash of the request. A request with a known key and a different fingerprint is refused. */
  fingerprint: Buffer;
  /** Builds the response from the result of the unit of work. */
  toResponse: (result: unknown) => StoredResponse;
}

/**
 * A right in a workspace: members with one of these roles have it. The code that checks the right decides which roles
 * these are.
 */
export interface Right {
  workspaceId: string;
  roles: readonly string[];
}

/** Thrown when the request has already taken effect. This is not a failure: `response` is the stored response. */
export class ReplayedResponse extends Error {
  override readonly name = 'Replayed';

  constructor(readonly response: StoredResponse) {
    super('The request already has a response.');
  }
}

interface StoredResponseRow {
  isCallerActive: boolean;
  /** Null if the key is new or has expired. */
  isSameRequest: boolean | null;
  hasWorkspaces: boolean | null;
  hasRoles: boolean | null;
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

const RETENTION = `interval '24 hours'`;
// Maximum number of rows that one statement deletes. A stored response can be as large as a megabyte. Deleting such a
// response costs as much as deleting 500 small rows.
const EXPIRED_CHUNK_SIZE = 200;
// PostgreSQL reports query_canceled when the statement timeout ends a statement.
const QUERY_CANCELED = '57014';

const LOAD_STORED_RESPONSE = `SELECT caller.status = 'active' AS "isCallerActive",
    stored.fingerprint = $3 AS "isSameRequest", stored.status, stored.headers,
    present."hasWorkspaces", present."hasRoles",
    CASE WHEN stored.fingerprint = $3 AND present."hasRoles" THEN stored.encrypted_body END AS body
  FROM users caller
  LEFT JOIN LATERAL (
    SELECT * FROM idempotency_keys WHERE user_id = caller.id AND key = $2 LIMIT 1
  ) stored ON stored.created_at > now() - ${RETENTION}
  CROSS JOIN LATERAL (
    SELECT bool_and(workspace.id IS NOT NULL) AS "hasWorkspaces",
      bool_and(coalesce(member.role = ANY (needed.roles), false)) AS "hasRoles"
    FROM json_to_recordset(stored.rights) AS needed ("workspaceId" uuid, roles text[])
    LEFT JOIN workspaces workspace ON workspace.id = needed."workspaceId"
    LEFT JOIN workspace_members member
      ON member.workspace_id = workspace.id AND member.user_id = caller.id
  ) present
  WHERE caller.id = $1`;

/** Stores the responses to requests that have an idempotency key; see docs/adr/0009. */
@Injectable()
export class IdempotencyKeys {
  private readonly logger = new Logger(IdempotencyKeys.name);
  private readonly mutex = new KeyedMutex();

  constructor(
    private readonly database: Database,
    private readonly encryption: Encryption,
  ) {}

  /**
   * Runs the transactions of each key one at a time within this process. A transaction that waits for the key's lock in
   * PostgreSQL holds a connection. If the transactions did not wait here, requests with one key could use up all
   * connections.
   *
   * @throws DomainError `in_progress` if the earlier transactions take longer than the statement timeout.
   */
  runExclusive<T>(idempotencyKey: IdempotencyKey, run: () => Promise<T>): Promise<T> {
    return this.mutex.runExclusive(
      qualifyKey(idempotencyKey),
      run,
      this.database.statementTimeoutMs,
      keyInUse,
    );
  }

  /**
   * Locks the key, and looks for a stored response. Returns if this is the first request with the key. Later requests
   * in other processes wait for the lock until the first transaction ends. The lookup is a separate statement, sent
   * together with the lock, because it must see a response that was committed while the lock was awaited.
   *
   * @throws ReplayedResponse if there is a stored response.
   * @throws DomainError `key_reused` if the first request was a different one; `in_progress` if the wait takes too
   * long; `conflict` if the stored response can no longer be decrypted; `unauthorized` if the user is no longer active;
   * `forbidden` if the caller no longer has the rights that the first request needed; `not_found` if the workspace is
   * gone.
   */
  async lockAndCheck(query: Query, idempotencyKey: IdempotencyKey): Promise<void> {
    const { userId, key, fingerprint } = idempotencyKey;
    const [, [stored]] = await Promise.all([
      query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [qualifyKey(idempotencyKey)]),
      query<StoredResponseRow>(LOAD_STORED_RESPONSE, [userId, key, fingerprint]),
    ]).catch(rethrowAsInProgress);
    if (!stored?.isCallerActive) throw DomainError.inactive();
    if (stored.isSameRequest === null) return;
    if (!stored.isSameRequest) throw new DomainError('key_reused', errorCodes.key_reused.message);
    if (!stored.hasWorkspaces) throw DomainError.notFound('workspace');
    if (!stored.hasRoles) throw DomainError.forbidden(RIGHTS_LOST);
    const { status, headers } = stored;
    throw new ReplayedResponse({
      status,
      headers,
      body: this.decrypt(stored.body, idempotencyKey),
    });
  }

  /** Builds the statement that stores the response, or replaces an expired response of the same key. */
  buildStoreStatement(
    idempotencyKey: IdempotencyKey,
    result: unknown,
    rights: readonly Right[],
  ): [text: string, values: readonly unknown[]] {
    if (rights.length === 0) throw new Error('The work has declared no right (requireForReplay).');
    const { userId, key, fingerprint } = idempotencyKey;
    const { status, headers, body } = idempotencyKey.toResponse(result);
    const context = qualifyKey(idempotencyKey);
    // Each idempotency key has an encryption key of its own, because there may be more stored responses
    // than one encryption key may encrypt (`deriveFor`).
    const encrypted = this.encryption.deriveFor(context).encryptBytes(body, context);
    return [
      `INSERT INTO idempotency_keys (user_id, key, fingerprint, status, headers, encrypted_body, rights)
       VALUES ($1, $2, $3, $4, $5, $6, $7)
       ON CONFLICT (user_id, key) DO UPDATE SET fingerprint = EXCLUDED.fingerprint,
         status = EXCLUDED.status, headers = EXCLUDED.headers,
         encrypted_body = EXCLUDED.encrypted_body, created_at = EXCLUDED.created_at,
         rights = EXCLUDED.rights`,
      [
        userId,
        key,
        fingerprint,
        status,
        JSON.stringify(headers),
        encrypted,
        JSON.stringify(rights),
      ],
    ];
  }

  async deleteExpired(): Promise<void> {
    await untilShortChunk(EXPIRED_CHUNK_SIZE, async () => {
      // Skips locked rows: a request is replacing the response, or another worker is deleting the row.
      const deleted = await this.database.query(
        `DELETE FROM idempotency_keys WHERE ctid = ANY (ARRAY(
           SELECT ctid FROM idempotency_keys WHERE created_at < now() - ${RETENTION}
           LIMIT ${EXPIRED_CHUNK_SIZE} FOR UPDATE SKIP LOCKED
         ))
         RETURNING 1`,
      );
      return deleted.length;
    });
  }

  private decrypt(encrypted: Buffer, idempotencyKey: IdempotencyKey): Buffer {
    try {
      const context = qualifyKey(idempotencyKey);
      return this.encryption.deriveFor(context).decryptBytes(encrypted, context);
    } catch (error) {
      const { userId } = idempotencyKey;
      const stage = 'decrypt stored response';
      if (error instanceof MissingKey) {
        this.logger.warn(
          { stage, userId, keyId: error.keyId },
          'SECRETS_KEYS lacks the key that encrypted a stored response, so a repeated request gets 409.',
        );
      } else this.logger.error({ err: error, stage, userId });
      throw unreadableResponse('its encryption key is no longer in SECRETS_KEYS');
    }
  }
}

const qualifyKey = ({ userId, key }: IdempotencyKey): string => `idempotency key ${userId} ${key}`;

const RIGHTS_LOST = 'Your role in the workspace no longer allows what this request did.';

const unreadableResponse = (reason: string) =>
  DomainError.conflict(
    `This request has already taken effect, but its stored response can no longer be read, because ${reason}. Check what the request created, or send the request again with a new Idempotency-Key.`,
  );

function rethrowAsInProgress(error: unknown): never {
  if (sqlState(error) === QUERY_CANCELED) throw keyInUse();
  throw error;
}

/** The message for a key whose first request takes longer than the statement timeout. */
export const KEY_IN_USE =
  'The first request with this Idempotency-Key is still being processed; send it again in a moment.';

const keyInUse = () =>
  new DomainError('in_progress', KEY_IN_USE, undefined, { retryAfterSeconds: 1 });
