import { Injectable, Logger } from '@nestjs/common';
import { Encryption, MissingKey } from '#encryption';
import { decryptHeaders, redactValues } from '../sending/custom-headers.js';
import type { AttemptStage, LocalProblem } from '../sending/attempt-errors.js';
import { createSignatureHeaders } from '../sending/signature.js';
import { SigningKeysCache } from '../sending/signing-keys-cache.js';
import { USER_AGENT } from '../sending/user-agent.js';
import type { ClaimedDelivery } from './claims.js';
import { buildNotificationBody } from '../delivery/notification-body.js';

/** The request for an attempt, or the reason why it cannot be built. */
export type DeliveryRequest =
  | {
      body: string;
      headers: Record<string, string>;
      /** The headers, with the values of custom headers redacted. */
      loggedHeaders: Record<string, string>;
    }
  | { stage: AttemptStage; error: string; localProblem?: LocalProblem };

/** Builds and signs the HTTP request for each delivery attempt. */
@Injectable()
export class DeliveryRequests {
  private readonly logger = new Logger(DeliveryRequests.name);

  constructor(
    private readonly signingKeys: SigningKeysCache,
    private readonly encryption: Encryption,
  ) {}

  /** @param traceparent the trace context of the attempt; undefined while tracing is off. */
  prepare(delivery: ClaimedDelivery, now: Date, traceparent?: string): DeliveryRequest {
    const body = buildNotificationBody(delivery);
    if (body === undefined) return { stage: 'event', error: 'the event is no longer stored' };
    const { id, eventId, sequence, endpointId, encryptedHeaders } = delivery;
    const timestamp = Math.floor(now.getTime() / 1000);
    try {
      const customHeaders = decryptHeaders(this.encryption, encryptedHeaders, endpointId);
      const traceHeaders = buildTraceHeaders(traceparent, customHeaders);
      const headers = {
        'content-type': 'application/json',
        'user-agent': USER_AGENT,
        ...createSignatureHeaders(this.loadSigningKeys(delivery, now), {
          id: eventId,
          timestamp,
          body,
        }),
        'x-service-sequence': String(sequence),
      };
      return {
        body,
        headers: { ...customHeaders, ...traceHeaders, ...headers },
        loggedHeaders: { ...redactValues(customHeaders), ...traceHeaders, ...headers },
      };
    } catch (error) {
      if (error instanceof MissingKey) return missingKeyProblem(error);
      // The stored ciphertext is corrupt. The failure counts as an attempt, so that the delivery does not wait for
      // ever.
      this.logger.error({ err: error, stage: 'sign', deliveryId: id });
      return { stage: 'sign', error: 'the secret or the headers cannot be decrypted' };
    }
  }

  private loadSigningKeys(
    { endpointId, encryptedSecret, previousSecrets }: ClaimedDelivery,
    now: Date,
  ) {
    const validSecrets = previousSecrets.filter(({ until }) => new Date(until) > now);
    return [encryptedSecret, ...validSecrets.map(({ encrypted }) => encrypted)].map((encrypted) =>
      this.signingKeys.get(encrypted, endpointId),
    );
  }
}

/** A missing key does not count as an attempt, because the receiver is not to blame and an operator can add the key. */
const missingKeyProblem = ({ keyId = 'unknown' }: MissingKey): DeliveryRequest => ({
  stage: 'sign',
  error: 'the encryption key is missing',
  localProblem: {
    reason: `SECRETS_KEYS lacks the key ${keyId}, which encrypts the secret or the headers of the webhook`,
    affectsAllEndpoints: false,
    needsOperator: true,
  },
});

/**
 * Adds `traceparent` unless the endpoint's custom headers already contain one. Subscribers may have configured that
 * header before Galley supported tracing.
 */
const buildTraceHeaders = (
  traceparent: string | undefined,
  customHeaders: Record<string, string>,
): Record<string, string> =>
  traceparent === undefined ||
  Object.keys(customHeaders).some((name) => name.toLowerCase() === 'traceparent')
    ? {}
    : { traceparent };
