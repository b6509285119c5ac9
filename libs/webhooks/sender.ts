import { lookup as dnsLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Agent, request } from 'undici';
import { AddressPolicy } from './addresses.js';
import { parseRetryAfter } from './retry-schedule.js';
import { WEBHOOKS_OPTIONS, type WebhooksOptions } from './webhooks.options.js';

/** How an attempt ended. Without a status code there was no answer, and `error` says why. */
export interface SendResult {
  ok: boolean;
  statusCode: number | null;
  error: string | null;
  /** Milliseconds that the receiver asked to wait (429 and 503 only). */
  retryAfter?: number;
}

/** From the first byte sent to the headers of the answer. Its status is what counts. */
export const SEND_TIMEOUT_MS = 15_000;
const CONNECT_TIMEOUT_MS = 5_000;
// An answer is read, if it is short and comes at once, to use its connection again; nothing else
// depends on it.
const MAX_ANSWER_BYTES = 16 * 1024;
const MAX_ANSWER_MS = 1_000;

/** Posts notifications. It connects to no address that the policy refuses and follows no redirect. */
@Injectable()
export class Sender implements OnApplicationShutdown {
  private readonly policy: AddressPolicy;
  private readonly agent: Agent;

  constructor(@Inject(WEBHOOKS_OPTIONS) { allowedRanges }: WebhooksOptions) {
    this.policy = new AddressPolicy(allowedRanges);
    this.agent = new Agent({
      connect: { timeout: CONNECT_TIMEOUT_MS, lookup: this.guardedLookup },
      headersTimeout: SEND_TIMEOUT_MS,
      bodyTimeout: SEND_TIMEOUT_MS,
    });
  }

  async send(url: string, body: string, headers: Record<string, string>): Promise<SendResult> {
    try {
      this.guardLiteral(new URL(url).hostname);
      const response = await within(SEND_TIMEOUT_MS, (signal) =>
        request(url, {
          dispatcher: this.agent,
          method: 'POST',
          headers: { 'content-type': 'application/json', 'user-agent': 'Galley', ...headers },
          body,
          signal,
        }),
      );
      await within(MAX_ANSWER_MS, (signal) =>
        // One that does not come to its end costs the connection and changes nothing else.
        response.body.dump({ limit: MAX_ANSWER_BYTES, signal }).catch(() => undefined),
      );
      return resultOf(response.statusCode, response.headers['retry-after']);
    } catch (error) {
      return { ok: false, statusCode: null, error: reasonOf(error) };
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.agent.close();
  }

  /**
   * Resolves a name and hands the connection only addresses that are allowed, so that what was
   * checked is what is dialled, whatever the name resolves to a moment later.
   */
  private readonly guardedLookup: LookupFunction = (hostname, options, callback) => {
    dnsLookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) {
        callback(error, '');
        return;
      }
      const allowed = addresses.filter(({ address }) => this.policy.allows(address));
      const [first] = allowed;
      if (first === undefined) callback(refusal(hostname), '');
      else if (options.all) callback(null, allowed);
      else callback(null, first.address, first.family);
    });
  };

  /** A host that is an address itself is dialled without a look-up. */
  private guardLiteral(hostname: string): void {
    const address = hostname.replace(/^\[|\]$/g, '');
    if (isIP(address) !== 0 && !this.policy.allows(address)) throw refusal(address);
  }
}

/** Unlike the timer of AbortSignal.timeout, which stays for all of its time, this one ends with the work. */
async function within<T>(
  milliseconds: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const timer = setTimeout(() => {
    controller.abort(new DOMException(`Not done within ${milliseconds} ms`, 'TimeoutError'));
  }, milliseconds);
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
  }
}

const refusal = (host: string) =>
  Object.assign(new Error(`${host} is not a public address`), { code: 'ADDRESS_REFUSED' });

function resultOf(statusCode: number, retryAfter: string | string[] | undefined): SendResult {
  const ok = statusCode >= 200 && statusCode < 300;
  const asks = statusCode === 429 || statusCode === 503;
  const wait = asks && typeof retryAfter === 'string' ? parseRetryAfter(retryAfter) : undefined;
  return { ok, statusCode, error: null, ...(wait !== undefined && { retryAfter: wait }) };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return `no answer within ${SEND_TIMEOUT_MS / 1000} s`;
  // A connection that failed on several addresses carries the reason of each and no message.
  const cause = error instanceof AggregateError ? (error.errors[0] as Error) : error;
  return cause.message;
}
