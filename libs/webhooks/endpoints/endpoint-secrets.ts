import { Injectable, Logger } from '@nestjs/common';
import {
  Database,
  NIL_UUID,
  noEvent,
  nextUpdatedAt,
  Reads,
  UnitOfWork,
  untilShortChunk,
} from '#database';
import { Encryption, MissingKey } from '#encryption';
import { DomainError } from '#errors';
import { authorise, rightIn, type Actor, type CallerRow } from '#workspaces';
import { countSecretsByKey } from './count-secrets-by-key.js';
import { auditEndpoint, lockEndpoint, selectEndpoint } from './endpoint.js';
import { generateSecret } from '../sending/signing-keys-cache.js';

interface PreviousSecret {
  encrypted: string;
  until: string;
}

interface EncryptedSecretRow {
  encrypted: string;
  workspaceId: string;
}

interface EndpointSecretsRow {
  id: string;
  secret: string;
  headers: string | null;
  previousSecrets: PreviousSecret[];
}

const NO_EVENT_REASON = 'changes of secrets create no events';
const SECRET_UNREADABLE =
  'The secret cannot be decrypted until the operator of Galley adds a missing key to SECRETS_KEYS. Send the request again after that.';
// Each previous secret adds a signature to every notification, so an endpoint may have only a few.
const MAX_PREVIOUS_SECRETS = 4;
const REENCRYPT_CHUNK_SIZE = 200;

/** Reveals and rotates the secrets of endpoints, and re-encrypts them after a change of the encryption key. */
@Injectable()
export class EndpointSecrets {
  private readonly logger = new Logger(EndpointSecrets.name);

  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
    private readonly reads: Reads,
    private readonly encryption: Encryption,
  ) {}

  async reveal(actor: Actor, id: string): Promise<{ secret: string }> {
    const secret = await this.unitOfWork.write(async (transaction) => {
      const [row] = await transaction.query<CallerRow & EncryptedSecretRow>(
        selectEndpoint(
          'endpoint.encrypted_secret AS encrypted, endpoint.workspace_id AS "workspaceId"',
        ),
        [actor.userId, id],
      );
      const { encrypted, workspaceId } = authorise(row, 'admin', 'webhook');
      auditEndpoint(transaction, actor, { id, workspaceId }, 'secret.revealed');
      return noEvent({ secret: this.decrypt(encrypted, id) }, NO_EVENT_REASON);
    });
    // The caller's next read must show the audit entry. The hook `rememberWrites` does not handle this write, because
    // the hook skips GET requests.
    await this.reads.remember(actor.userId);
    return secret;
  }

  /**
   * Replaces the secret. During the overlap, notifications are signed with the new and the previous secrets. Without an
   * overlap, notifications are signed only with the new secret.
   * @throws DomainError `limit_reached` if more than `MAX_PREVIOUS_SECRETS` previous secrets would sign notifications.
   */
  rotate(actor: Actor, id: string, overlapHours: number): Promise<{ secret: string }> {
    return this.unitOfWork.write(async (transaction) => {
      const endpoint = await lockEndpoint(transaction.query, actor, id);
      transaction.requireForReplay(rightIn(endpoint.workspaceId, 'admin'));
      const secret = generateSecret();
      const [rotated] = await transaction.query(
        `UPDATE webhook_endpoints endpoint SET encrypted_secret = $2,
           updated_at = ${nextUpdatedAt}, earlier_secrets = (
             SELECT coalesce(json_agg(earlier), '[]') FROM (
               SELECT endpoint.encrypted_secret AS encrypted,
                 now() + $3 * interval '1 hour' AS until WHERE $3 > 0
               UNION ALL
               SELECT earlier.* FROM json_to_recordset(endpoint.earlier_secrets)
                 AS earlier (encrypted text, until timestamptz)
               WHERE until > now() AND $3 > 0
             ) earlier
           )
         WHERE id = $1 AND ($3 = 0 OR ${MAX_PREVIOUS_SECRETS} > (
           SELECT count(*) FROM json_to_recordset(endpoint.earlier_secrets)
             AS earlier (until timestamptz) WHERE until > now()
         ))
         RETURNING 1`,
        [id, this.encryption.encrypt(secret, id), overlapHours],
      );
      if (rotated === undefined) {
        throw new DomainError(
          'limit_reached',
          `${MAX_PREVIOUS_SECRETS} earlier secrets still sign notifications; wait until one expires, or set overlapHours to 0 to invalidate all of them.`,
        );
      }
      auditEndpoint(transaction, actor, endpoint, 'secret.rotated', { overlapHours });
      return noEvent({ secret }, NO_EVENT_REASON);
    }, actor.idempotencyKey);
  }

  /**
   * Re-encrypts secrets and headers that were encrypted with an old key.
   * @returns the number of endpoints that need each key afterwards, by key id.
   */
  async reencrypt(): Promise<ReadonlyMap<string, number>> {
    let after = NIL_UUID;
    await untilShortChunk(REENCRYPT_CHUNK_SIZE, async () => {
      const rows = await this.findEncryptedWithOldKey(after);
      for (const row of rows) await this.reencryptRow(row);
      after = rows.at(-1)?.id ?? after;
      return rows.length;
    });
    const { counts } = await countSecretsByKey(this.database.query, Infinity);
    return counts;
  }

  private decrypt(encrypted: string, id: string): string {
    try {
      return this.encryption.decrypt(encrypted, id);
    } catch (error) {
      if (!(error instanceof MissingKey)) throw error;
      const { keyId } = error;
      this.logger.error({ stage: 'decrypt secret', endpointId: id, keyId }, error.message);
      throw DomainError.unavailable(SECRET_UNREADABLE);
    }
  }

  private findEncryptedWithOldKey(after: string): Promise<EndpointSecretsRow[]> {
    return this.database.query<EndpointSecretsRow>(
      `SELECT id, encrypted_secret AS secret, encrypted_headers AS headers,
         earlier_secrets AS "previousSecrets"
       FROM webhook_endpoints
       WHERE id > $2 AND concat_ws(' ', encrypted_secret, encrypted_headers, earlier_secrets::text)
         ~ ('(^|[ "])(?!' || $1 || ')[0-9a-f]{8}\\.')
       ORDER BY id LIMIT ${REENCRYPT_CHUNK_SIZE}`,
      [this.encryption.keyId, after],
    );
  }

  private async reencryptRow({
    id,
    secret,
    headers,
    previousSecrets,
  }: EndpointSecretsRow): Promise<void> {
    const reencryptValue = (encrypted: string) =>
      this.encryption.encrypt(this.encryption.decrypt(encrypted, id), id);
    try {
      await this.database.query(
        `UPDATE webhook_endpoints
         SET encrypted_secret = $2, encrypted_headers = $3, earlier_secrets = $4
         WHERE id = $1 AND encrypted_secret = $5 AND encrypted_headers IS NOT DISTINCT FROM $6`,
        [
          id,
          reencryptValue(secret),
          headers && reencryptValue(headers),
          JSON.stringify(
            previousSecrets.map(({ encrypted, until }) => ({
              encrypted: reencryptValue(encrypted),
              until,
            })),
          ),
          secret,
          headers,
        ],
      );
    } catch (error) {
      this.logger.error({ err: error, stage: 'reencrypt', endpointId: id });
    }
  }
}
