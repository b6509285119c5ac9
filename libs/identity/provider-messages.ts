import { createHash } from 'node:crypto';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { noEvent, UnitOfWork } from '#database';
import { DomainError } from '#errors';
import { LRUCache } from 'lru-cache';
import { IDENTITY_OPTIONS, type IdentityOptions } from './identity.options.js';
import { applyMembership, applyOrganization } from './organizations.js';
import { providers } from './providers/index.js';
import type { ProviderMessage, ProviderName, SignedRequest } from './providers/provider.js';
import { applyUser } from './users.js';

// Providers retry a refused message up to eight times, but Galley logs the refusal only once. To recognise the retries,
// Galley remembers this many refused messages.
const MAX_LOGGED_REFUSALS = 1_000;

/** Receives the identity provider's webhook messages (`POST /api/auth/webhook`). */
@Injectable()
export class ProviderMessages {
  private readonly logger = new Logger(ProviderMessages.name);
  private queueTail = Promise.resolve();
  private readonly loggedRefusals = new LRUCache<string, true>({ max: MAX_LOGGED_REFUSALS });

  constructor(
    @Inject(IDENTITY_OPTIONS) private readonly options: IdentityOptions,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Authenticates a message, and applies it unless it has been applied before. A message that does not concern Galley
   * is acknowledged and ignored.
   *
   * @param ipAddress the address that the request came from.
   * @throws DomainError `not_found` if no secret is configured; `unauthorized` if the provider did not send the
   * message; `invalid` if the message has the wrong shape. Providers retry a refused message at most eight times, and
   * show the failure to the operator.
   */
  async receive(request: SignedRequest, ipAddress: string | null): Promise<void> {
    const { issuer = '', webhook } = this.options;
    if (webhook === undefined) throw DomainError.notFound('webhook');
    const provider = providers[webhook.provider];
    if (!webhook.secrets.some((secret) => provider.isAuthentic(request, secret))) {
      this.logger.debug({
        stage: 'identity provider message',
        provider: webhook.provider,
        problem: 'no secret matches, or the message was signed more than five minutes ago',
      });
      throw DomainError.unauthorized();
    }
    const message = this.parse(request, webhook.provider);
    if (!(message.user ?? message.organization ?? message.membership)) return;
    // Applies messages one after another, so that a burst uses only one database connection.
    const applied = this.queueTail.then(() => this.apply(message, issuer, ipAddress));
    // The sender of a failed message gets the error, but the next message is still applied.
    this.queueTail = applied.catch(() => undefined);
    await applied;
  }

  private async apply(
    message: ProviderMessage,
    issuer: string,
    ipAddress: string | null,
  ): Promise<void> {
    const { user, organization, membership } = message;
    await this.unitOfWork.write(async (transaction) => {
      const [inserted] = await transaction.query(
        `INSERT INTO identity_provider_messages (id) VALUES ($1)
         ON CONFLICT DO NOTHING RETURNING id`,
        [message.eventId],
      );
      if (inserted) {
        const source = { issuer, ipAddress, message };
        if (user) await applyUser(transaction, source, user);
        if (organization) await applyOrganization(transaction, source, organization);
        if (membership) await applyMembership(transaction, source, membership);
      }
      return noEvent(undefined, 'messages from the identity provider have no events');
    });
  }

  private parse(request: SignedRequest, provider: ProviderName): ProviderMessage {
    const text = request.body.toString('utf8');
    try {
      return providers[provider].parse(JSON.parse(text), request);
    } catch (error) {
      const problem =
        error instanceof SyntaxError ? DomainError.invalid('', 'the body must be JSON') : error;
      if (problem instanceof DomainError) this.logOnce(provider, text, problem);
      throw problem;
    }
  }

  /**
   * Logs a problem once for each message. The log line contains no values from the message, because they may be
   * personal data.
   */
  private logOnce(provider: ProviderName, text: string, problem: DomainError): void {
    const digest = createHash('sha256').update(text).digest('base64');
    if (this.loggedRefusals.has(digest)) return;
    this.loggedRefusals.set(digest, true);
    const { message, details } = problem;
    const path = details?.[0]?.path;
    this.logger.warn({ stage: 'identity provider message', provider, path, problem: message });
  }
}
