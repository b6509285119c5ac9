import { Injectable, Logger } from '@nestjs/common';
import { Database, noEvent, touched, UnitOfWork } from '#database';
import { Encryption } from '#encryption';
import { DomainError } from '#errors';
import { authorise, rightIn, type Actor, type CallerRow } from '#identity';
import { auditEndpoint, lockEndpoint, selectEndpoint } from './endpoint.js';
import { newSecret } from './secrets.js';

interface EarlierSecret {
  encrypted: string;
  until: string;
}

interface Revealed {
  encrypted: string;
  workspaceId: string;
}

interface Encrypted {
  id: string;
  secret: string;
  headers: string | null;
  earlier: EarlierSecret[];
}

const NO_EVENT = 'secrets have no events';
const OTHER_KEY =
  'Secrets of webhooks were encrypted with another SECRETS_KEY: set that one, or name it in SECRETS_KEYS_OLD.';
// Each signs every notification, so there is an end to them.
const MOST_EARLIER = 4;
const REENCRYPT_BATCH = 200;
const FIRST = '00000000-0000-0000-0000-000000000000';

/** An endpoint's secret: shown on request, replaced with an overlap, encrypted anew with a new key. */
@Injectable()
export class EndpointSecrets {
  private readonly logger = new Logger(EndpointSecrets.name);

  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
    private readonly encryption: Encryption,
  ) {}

  reveal(actor: Actor, id: string): Promise<{ secret: string }> {
    return this.unitOfWork.write(async (transaction) => {
      const [row] = await transaction.query<CallerRow & Revealed>(
        selectEndpoint(
          'endpoint.encrypted_secret AS encrypted, endpoint.workspace_id AS "workspaceId"',
        ),
        [actor.userId, id],
      );
      const { encrypted, workspaceId } = authorise(row, 'admin', 'webhook');
      auditEndpoint(transaction, actor, { id, workspaceId }, 'secret.revealed');
      return noEvent({ secret: this.encryption.decrypt(encrypted, id) }, NO_EVENT);
    });
  }

  /**
   * Until the overlap is over notifications are signed with both. Without one no earlier secret is
   * valid any more.
   * @throws DomainError `conflict` when too many would sign.
   */
  rotate(actor: Actor, id: string, overlapHours: number): Promise<{ secret: string }> {
    return this.unitOfWork.write(async (transaction) => {
      const endpoint = await lockEndpoint(transaction.query, actor, id);
      transaction.requireForReplay(rightIn(endpoint.workspaceId, 'admin'));
      const secret = newSecret();
      const [rotated] = await transaction.query(
        `UPDATE webhook_endpoints endpoint SET encrypted_secret = $2,
           updated_at = ${touched}, earlier_secrets = (
             SELECT coalesce(json_agg(earlier), '[]') FROM (
               SELECT endpoint.encrypted_secret AS encrypted,
                 now() + $3 * interval '1 hour' AS until WHERE $3 > 0
               UNION ALL
               SELECT earlier.* FROM json_to_recordset(endpoint.earlier_secrets)
                 AS earlier (encrypted text, until timestamptz)
               WHERE until > now() AND $3 > 0
             ) earlier
           )
         WHERE id = $1 AND ($3 = 0 OR ${MOST_EARLIER} > (
           SELECT count(*) FROM json_to_recordset(endpoint.earlier_secrets)
             AS earlier (until timestamptz) WHERE until > now()
         ))
         RETURNING 1`,
        [id, this.encryption.encrypt(secret, id), overlapHours],
      );
      if (rotated === undefined) {
        throw DomainError.conflict(
          `${MOST_EARLIER} earlier secrets still sign; wait until one is over, or end all of them with overlapHours 0.`,
        );
      }
      auditEndpoint(transaction, actor, endpoint, 'secret.rotated', { overlapHours });
      return noEvent({ secret }, NO_EVENT);
    }, actor.once);
  }

  /**
   * Gives what is wrong if SECRETS_KEY is not the key of what is stored. It looks at the newest secret, and
   * only at the key that encrypted it: an old or damaged row concerns one endpoint, and must not take all
   * others out of service.
   */
  async problem(): Promise<string | undefined> {
    const [newest] = await this.database.query<{ encrypted: string }>(
      'SELECT encrypted_secret AS encrypted FROM webhook_endpoints ORDER BY id DESC LIMIT 1',
    );
    const isKnown = newest === undefined || this.encryption.hasKeyOf(newest.encrypted);
    return isKnown ? undefined : OTHER_KEY;
  }

  /** Encrypts with the current key what an earlier one has encrypted, so that it can be let go. */
  async encryptAnew(): Promise<void> {
    for (let after = FIRST, more = true; more;) {
      const rows = await this.encryptedEarlier(after);
      for (const row of rows) await this.encryptRowAnew(row);
      more = rows.length === REENCRYPT_BATCH;
      after = rows.at(-1)?.id ?? after;
    }
  }

  private encryptedEarlier(after: string): Promise<Encrypted[]> {
    return this.database.query<Encrypted>(
      `SELECT id, encrypted_secret AS secret, encrypted_headers AS headers,
         earlier_secrets AS earlier
       FROM webhook_endpoints
       WHERE id > $2 AND concat_ws(' ', encrypted_secret, encrypted_headers, earlier_secrets::text)
         ~ ('(^|[ "])(?!' || $1 || ')[0-9a-f]{8}\\.')
       ORDER BY id LIMIT ${REENCRYPT_BATCH}`,
      [this.encryption.keyId, after],
    );
  }

  private async encryptRowAnew({ id, secret, headers, earlier }: Encrypted): Promise<void> {
    const anew = (encrypted: string) =>
      this.encryption.encrypt(this.encryption.decrypt(encrypted, id), id);
    try {
      await this.database.query(
        `UPDATE webhook_endpoints
         SET encrypted_secret = $2, encrypted_headers = $3, earlier_secrets = $4
         WHERE id = $1 AND encrypted_secret = $5 AND encrypted_headers IS NOT DISTINCT FROM $6`,
        [
          ...[id, anew(secret), headers && anew(headers)],
          JSON.stringify(
            earlier.map(({ encrypted, until }) => ({ encrypted: anew(encrypted), until })),
          ),
          ...[secret, headers],
        ],
      );
    } catch (error) {
      this.logger.error({ err: error, stage: 'encrypt anew', endpointId: id });
    }
  }
}
