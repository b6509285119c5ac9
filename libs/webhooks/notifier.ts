import { Injectable, Logger } from '@nestjs/common';
import { Deliveries, type ClaimedDelivery } from './deliveries.js';
import { retryDelay } from './retry-schedule.js';
import { Secrets } from './secrets.js';
import { Sender, type SendResult } from './sender.js';
import { signatureHeaders } from './signature.js';

const GONE = 410;

/** Makes one attempt at a delivery and records how it ended. */
@Injectable()
export class Notifier {
  private readonly logger = new Logger(Notifier.name);

  constructor(
    private readonly deliveries: Deliveries,
    private readonly secrets: Secrets,
    private readonly sender: Sender,
  ) {}

  async attempt(delivery: ClaimedDelivery): Promise<void> {
    const startedAt = new Date();
    const result = await this.send(delivery, startedAt);
    const durationMs = Date.now() - startedAt.getTime();
    const attempts = delivery.attempts + 1;
    const retryIn = result.ok ? undefined : retryDelay(attempts, result.retryAfter);
    await this.deliveries.record(delivery, { ...result, startedAt, durationMs }, retryIn);
    if (result.statusCode === GONE) await this.deliveries.disable(delivery.endpointId);
    const line = {
      deliveryId: delivery.id,
      endpointId: delivery.endpointId,
      eventId: delivery.eventId,
      event: delivery.kind,
      attempt: attempts,
      statusCode: result.statusCode,
      durationMs,
    };
    if (result.ok) this.logger.log(line, 'delivered');
    else if (result.statusCode === GONE) this.logger.warn(line, 'gone: the endpoint is disabled');
    else this.logger.warn({ ...line, error: result.error, retryInMs: retryIn }, 'attempt failed');
  }

  private send(delivery: ClaimedDelivery, now: Date): Promise<SendResult> {
    const body = notificationBody(delivery);
    const at = Math.floor(now.getTime() / 1000);
    try {
      const key = this.secrets.signingKeyOf(delivery.encryptedSecret, delivery.endpointId);
      const headers = signatureHeaders(key, { id: delivery.eventId, at, body });
      return this.sender.send(delivery.url, body, headers);
    } catch (error) {
      // It goes by the schedule like any other failure, so that there is time to mend SECRETS_KEY.
      this.logger.error({ err: error, stage: 'sign', deliveryId: delivery.id });
      return Promise.resolve({ ok: false, statusCode: null, error: 'the secret is not readable' });
    }
  }
}

/** Exactly `event`, `timestamp` and `data`; these very bytes are signed and sent. */
function notificationBody({ kind, occurredAt, data }: ClaimedDelivery): string {
  const event = JSON.stringify(kind);
  const timestamp = JSON.stringify(occurredAt);
  return `{"event":${event},"timestamp":${timestamp},"data":${data}}`;
}
