import { Inject, Injectable } from '@nestjs/common';
import { noEvent, UnitOfWork } from '#database';
import { DomainError } from '#errors';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { readClerkMessage } from './clerk.js';
import { IDENTITY_OPTIONS, type IdentityOptions } from './identity.options.js';
import { applyUserChange } from './users.js';

/** The three headers of Standard Webhooks; Svix, which Clerk sends with, names them `svix-…`. */
export interface SignatureHeaders {
  id: string;
  timestamp: string;
  signature: string;
}

const MAX_ID_LENGTH = 255;

/** What the identity provider tells of its users: `POST /api/auth/webhook`. */
@Injectable()
export class ProviderMessages {
  private readonly verifier: Webhook | undefined;

  constructor(
    @Inject(IDENTITY_OPTIONS) private readonly options: IdentityOptions,
    private readonly unitOfWork: UnitOfWork,
  ) {
    this.verifier = options.webhookSecret ? new Webhook(options.webhookSecret) : undefined;
  }

  /**
   * Verifies a message on its raw bytes and applies it once. Kinds that say nothing of a user are
   * acknowledged without effect.
   * @throws DomainError `not_found` when no secret is configured, `unauthorized` when the signature
   * is not right, `invalid` when a signed message has the wrong shape.
   */
  async receive(body: Buffer, headers: SignatureHeaders): Promise<void> {
    const message = this.verify(body, headers);
    if (headers.id.length > MAX_ID_LENGTH) {
      throw DomainError.invalid(
        'webhook-id',
        `webhook-id is longer than ${MAX_ID_LENGTH} characters`,
      );
    }
    const change = readClerkMessage(message, this.options.issuer ?? '');
    if (change === undefined) return;
    await this.unitOfWork.write(async (transaction) => {
      const [first] = await transaction.query(
        `INSERT INTO identity_provider_messages (id) VALUES ($1)
         ON CONFLICT DO NOTHING RETURNING id`,
        [headers.id],
      );
      if (first) await applyUserChange(transaction, change);
      return noEvent(undefined, 'users have no events');
    });
  }

  private verify(body: Buffer, { id, timestamp, signature }: SignatureHeaders): unknown {
    if (this.verifier === undefined) throw DomainError.notFound('webhook');
    try {
      return this.verifier.verify(body, {
        'webhook-id': id,
        'webhook-timestamp': timestamp,
        'webhook-signature': signature,
      });
    } catch (error) {
      if (error instanceof WebhookVerificationError) throw DomainError.unauthorized();
      // The signature was right; what was signed is not JSON.
      if (error instanceof SyntaxError) throw DomainError.invalid('', 'the body must be JSON');
      throw error;
    }
  }
}
