import { Injectable, Logger } from '@nestjs/common';
import { LogThrottle } from '#config';
import { Encryption } from '#encryption';
import type { Stage } from './attempt-errors.js';
import type { EndpointHealth } from './endpoint-health.js';
import { EndpointStates } from './endpoint-states.js';
import { notificationBody } from './notification.js';
import { Records, type Attempt, type Consequence } from './records.js';
import { retryDelay } from './retry-schedule.js';
import { Secrets } from './secrets.js';
import { Sender, type SendResult } from './sender.js';
import { signatureHeaders } from './signature.js';
import { Turns, type ClaimedDelivery } from './turns.js';
import { USER_AGENT } from './user-agent.js';

const GONE = 410;
// In the log of attempts, for the values of a subscriber's own headers: they may be credentials.
const HIDDEN = '********';

/** What of an attempt may change its endpoint's state. */
type Judged = Pick<ClaimedDelivery, 'endpointId' | 'url'> &
  Pick<Attempt, 'statusCode' | 'error' | 'startedAt'>;

type Sent = SendResult & { requestHeaders: Record<string, string> | null };

/** Makes one attempt at a delivery and records how it ended. */
@Injectable()
export class Notifier {
  private readonly logger = new Logger(Notifier.name);
  private stateChanges: Promise<void> = Promise.resolve();
  private readonly unsent = new LogThrottle();

  constructor(
    private readonly states: EndpointStates,
    private readonly records: Records,
    private readonly secrets: Secrets,
    private readonly encryption: Encryption,
    private readonly sender: Sender,
    private readonly turns: Turns,
  ) {}

  /**
   * Gives the health of the endpoint if more of its deliveries are to be claimed now.
   * @param signal ends the attempt.
   */
  async attempt(
    delivery: ClaimedDelivery,
    signal: AbortSignal,
  ): Promise<EndpointHealth | undefined> {
    const startedAt = new Date();
    const result = await this.send(delivery, startedAt, signal);
    const { localProblem } = result;
    if (localProblem) {
      await this.turns.release(delivery, localProblem.concernsAll);
      this.unsent.log((count) =>
        this.logger.warn(
          { deliveryId: delivery.id, stage: result.stage, count },
          `Not sent, for which no receiver is to blame: ${localProblem.reason}. It is due again in a moment.`,
        ),
      );
      return undefined;
    }
    const durationMs = Date.now() - startedAt.getTime();
    const attempts = delivery.attempts + 1;
    const isOver = result.ok || result.stage === 'event';
    const retryIn = isOver ? undefined : retryDelay(attempts, result.retryAfter);
    const attempt = { ...result, startedAt, durationMs };
    const consequence = await this.records.record(delivery, attempt, retryIn);
    const { endpointId, eventId } = delivery;
    const line = {
      ...{ deliveryId: delivery.id, endpointId, eventId, event: delivery.kind },
      ...{ attempt: attempts, statusCode: result.statusCode, durationMs },
    };
    if (result.ok) this.logger.log(line, 'delivered');
    else {
      // Not the error: it may name the host, or quote the receiver. The delivery log has it.
      const isUnresolved = result.stage === 'dns' && result.code !== undefined;
      this.logger.warn(
        { ...line, stage: result.stage, retryInMs: retryIn },
        isUnresolved ? `attempt failed: name resolution (${result.code})` : 'attempt failed',
      );
    }
    const { url } = delivery;
    const { statusCode, error } = result;
    this.changeStateLater({ endpointId, url, statusCode, error, startedAt }, consequence);
    return consequence?.isNext ? consequence.health : undefined;
  }

  /** Resolves when all changes of endpoints' states that attempts have caused so far are made. */
  async settled(): Promise<void> {
    await this.stateChanges;
  }

  /**
   * One after the other: if a thousand endpoints fail at the same time, claims and records must not
   * wait for connections to the database.
   */
  private changeStateLater(attempt: Judged, consequence: Consequence | undefined): void {
    if (attempt.statusCode !== GONE && !consequence?.becomes) return;
    this.stateChanges = this.stateChanges
      .then(() => this.changeState(attempt, consequence))
      .catch((error: unknown) =>
        this.logger.error({ err: error, stage: 'endpoint state', endpointId: attempt.endpointId }),
      );
  }

  private async changeState(
    { endpointId, url, statusCode, error, startedAt }: Judged,
    consequence: Consequence | undefined,
  ): Promise<void> {
    const last = `The last one: ${error ?? ''}.`;
    if (statusCode === GONE) {
      const reason = 'The receiver answered 410 Gone.';
      await this.states.becomeGone(endpointId, { url, startedAt }, reason);
    } else if (consequence?.becomes === 'active') {
      await this.states.become(endpointId, 'active', ['failing'], 'An attempt succeeded.');
    } else if (consequence?.becomes === 'failing') {
      const reason = `${consequence.failures} attempts in a row have failed. ${last}`;
      await this.states.become(endpointId, 'failing', ['active'], reason);
    } else if (consequence?.becomes === 'disabled') {
      const since = consequence.failingSince.toISOString();
      const reason = `No attempt has succeeded since ${since}. ${last}`;
      await this.states.become(endpointId, 'disabled', ['active', 'failing'], reason);
    }
  }

  private async send(delivery: ClaimedDelivery, now: Date, signal: AbortSignal): Promise<Sent> {
    const body = notificationBody(delivery);
    if (body === undefined) return notSent('event', 'the event is no longer kept');
    const at = Math.floor(now.getTime() / 1000);
    let own: Record<string, string>;
    let headers: Record<string, string>;
    try {
      own = this.headersOf(delivery);
      headers = {
        'content-type': 'application/json',
        'user-agent': USER_AGENT,
        ...signatureHeaders(this.keysOf(delivery, now), { id: delivery.eventId, at, body }),
        'x-service-sequence': String(delivery.sequence),
      };
    } catch (error) {
      // It goes by the schedule like any other failure, so that there is time to mend SECRETS_KEY.
      this.logger.error({ err: error, stage: 'sign', deliveryId: delivery.id });
      return notSent('sign', 'the secret is not readable');
    }
    const result = await this.sender.send(delivery.url, body, { ...own, ...headers }, signal);
    const hidden = Object.fromEntries(Object.keys(own).map((name) => [name, HIDDEN]));
    return { ...result, requestHeaders: { ...hidden, ...headers } };
  }

  private keysOf({ endpointId, encryptedSecret, earlierSecrets }: ClaimedDelivery, now: Date) {
    const valid = earlierSecrets.filter(({ until }) => new Date(until) > now);
    return [encryptedSecret, ...valid.map(({ encrypted }) => encrypted)].map((encrypted) =>
      this.secrets.signingKeyOf(encrypted, endpointId),
    );
  }

  private headersOf({ endpointId, encryptedHeaders }: ClaimedDelivery): Record<string, string> {
    if (encryptedHeaders === null) return {};
    return JSON.parse(this.encryption.decrypt(encryptedHeaders, endpointId)) as Record<
      string,
      string
    >;
  }
}

const notSent = (stage: Stage, error: string): Sent => ({
  ...{ ok: false, statusCode: null, stage, error },
  ...{ requestHeaders: null, responseHeaders: null, responseBody: null },
});
