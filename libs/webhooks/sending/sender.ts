import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Pool, type Dispatcher } from 'undici';
import { AddressPolicy } from './address-policy.js';
import {
  findLocalProblem,
  describeError,
  StageError,
  findStage,
  type LocalProblem,
  type AttemptStage,
} from './attempt-errors.js';
import { buildGuardedConnector } from './guarded-connector.js';
import { findTargetProblem, type TargetPolicy } from './endpoint-url.js';
import { OriginConnections } from './origin-connections.js';
import { findProxyProblem, createProxyAgent } from './proxy.js';
import { parseRetryAfter } from './retry-after.js';
import { socketLimit } from './socket-limit.js';
import { WEBHOOKS_OPTIONS, type WebhooksOptions } from './webhooks.options.js';

export interface SendResult {
  ok: boolean;
  /** Null if there was no response; `error` says why. */
  statusCode: number | null;
  /** The stage in which the attempt failed; null after a success. */
  stage: AttemptStage | null;
  error: string | null;
  responseHeaders: Record<string, string> | null;
  /** At most the first 16 KiB of the body. */
  responseBody: string | null;
  /** The delay that the receiver asked for, in milliseconds (429 and 503 only). */
  retryAfterMs?: number;
  /** The code of the system error behind `error`, if there is one. */
  code?: string;
  /** Set if nothing was sent and the receiver is not to blame. */
  localProblem?: LocalProblem;
}

/**
 * Time limit from the start of the attempt until the response headers arrive. The body is not included, because the
 * status code alone decides the result of the attempt.
 */
export const SEND_TIMEOUT_MS = 15_000;
// How much of a response body is kept, and how long the sender waits for it. The body does not affect the result of the
// attempt.
const MAX_RESPONSE_BYTES = 16 * 1024;
const MAX_RESPONSE_READ_MS = 1_000;
const MAX_HEADER_BYTES = 16 * 1024;
const MAX_KEEP_ALIVE_MS = 60_000;
// No ordinary receiver sends more 1xx responses. Each one costs CPU time, and none decides the result of the attempt.
const MAX_INFORMATIONAL_RESPONSES = 5;

/** Posts notifications. Never connects to an IP address that the policy refuses, and never follows redirects. */
@Injectable()
export class Sender implements OnApplicationShutdown {
  private readonly connections: OriginConnections;
  private readonly targetPolicy: TargetPolicy;
  private readonly proxyUrl: string | undefined;

  constructor(
    @Inject(WEBHOOKS_OPTIONS)
    { allowedRanges, allowedPorts, proxyUrl }: Omit<WebhooksOptions, 'allowHttp' | 'maxEndpoints'>,
  ) {
    this.proxyUrl = proxyUrl;
    this.targetPolicy = { addressPolicy: new AddressPolicy(allowedRanges), allowedPorts };
    // `allowH2` is false, because otherwise the first requests to an origin would wait until one connection has
    // negotiated its protocol. `connections` is not set, because claiming already limits the concurrent requests to an
    // endpoint. If a request waited here for a connection, the receiver would seem not to respond.
    const poolOptions = {
      maxHeaderSize: MAX_HEADER_BYTES,
      keepAliveMaxTimeout: MAX_KEEP_ALIVE_MS,
      // These timeouts are disabled, because the sender itself limits the time of the whole attempt.
      headersTimeout: 0,
      bodyTimeout: 0,
    };
    this.connections = new OriginConnections(
      proxyUrl === undefined
        ? (origin, connect) => new Pool(origin, { ...poolOptions, connect, allowH2: false })
        : () => createProxyAgent(proxyUrl, poolOptions),
      buildGuardedConnector(this.targetPolicy.addressPolicy),
      socketLimit(),
    );
  }

  /**
   * Posts a notification. Never rejects: an error becomes the result of the attempt.
   * @param signal aborts the attempt.
   */
  send(
    url: string,
    body: string,
    headers: Record<string, string>,
    signal?: AbortSignal,
  ): Promise<SendResult> {
    return new Promise((resolve) => {
      const target = new URL(url);
      const { origin, pathname, search } = target;
      const { dispatcher, release } = this.connections.acquire(origin);
      const exchange = new Exchange(resolve, release);
      signal?.addEventListener('abort', () => exchange.abort());
      try {
        this.assertTargetAllowed(target);
        dispatcher.dispatch(
          { origin, path: pathname + search, method: 'POST', headers, body },
          exchange,
        );
      } catch (error) {
        exchange.onResponseError(undefined, error as Error);
      }
    });
  }

  /** Returns the problem that prevents all notifications from being sent; undefined if there is none. */
  async findProblem(): Promise<string | undefined> {
    return this.proxyUrl === undefined ? undefined : findProxyProblem(this.proxyUrl);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.connections.close();
  }

  /**
   * Checks the target before each request. The connector also checks IP addresses, but not for requests through a
   * proxy, and not for requests on connections that are already open.
   */
  private assertTargetAllowed(target: URL): void {
    const problem = findTargetProblem(target, this.targetPolicy);
    if (problem === 'port') {
      const ports = this.targetPolicy.allowedPorts.join(', ');
      throw new StageError('connect', `the operator allows only the ports ${ports}`);
    }
    const host = target.hostname;
    if (problem === 'name') throw new StageError('dns', `${host} is not a valid host name`);
    if (problem === 'address') throw new StageError('dns', `${host} is not a public address`);
  }
}

/** One request and its response. Tracks the stage that the attempt has reached. */
class Exchange implements Dispatcher.DispatchHandler {
  private stage: AttemptStage = 'connect';
  private controller: Dispatcher.DispatchController | undefined;
  private response: { statusCode: number; responseHeaders: Record<string, string> } | undefined;
  private readonly chunks: Buffer[] = [];
  private receivedBytes = 0;
  private timer: NodeJS.Timeout;
  private isFinished = false;
  private informationalCount = 0;

  /** @param release is called when undici is done with the request. */
  constructor(
    private readonly resolve: (result: SendResult) => void,
    private readonly release: () => void,
  ) {
    this.timer = setTimeout(() => {
      this.fail(new StageError(this.stage, `no response within ${SEND_TIMEOUT_MS / 1000} s`));
    }, SEND_TIMEOUT_MS);
  }

  abort(): void {
    if (this.response) this.finish();
    else
      this.fail(
        new StageError(this.stage, 'the endpoint was deleted before the receiver responded'),
      );
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    this.stage = 'send';
    if (this.isFinished) controller.abort(new Error('too late'));
  }

  onRequestSent(): void {
    this.stage = 'first-byte';
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    statusCode: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    // A 1xx response precedes the final response.
    if (statusCode < 200) {
      if (++this.informationalCount > MAX_INFORMATIONAL_RESPONSES) {
        this.fail(
          new StageError(
            this.stage,
            `the receiver sent more than ${MAX_INFORMATIONAL_RESPONSES} informational responses (1xx)`,
          ),
        );
      }
      return;
    }
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.finish(), MAX_RESPONSE_READ_MS);
    this.response = { statusCode, responseHeaders: flattenHeaders(headers) };
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.chunks.push(chunk.subarray(0, MAX_RESPONSE_BYTES - this.receivedBytes));
    this.receivedBytes += chunk.length;
    if (this.receivedBytes > MAX_RESPONSE_BYTES) this.finish();
  }

  onResponseEnd(): void {
    // There is nothing to abort any more: the connection is free for the next request.
    this.controller = undefined;
    this.release();
    this.finish();
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.release();
    // If the status has already arrived, the error does not matter: only the status counts.
    if (this.response) this.finish();
    else this.fail(error);
  }

  private finish(): void {
    if (this.response === undefined) return;
    const { statusCode, responseHeaders } = this.response;
    const ok = statusCode >= 200 && statusCode < 300;
    const retryAfterMs =
      statusCode === 429 || statusCode === 503
        ? parseRetryAfter(responseHeaders['retry-after'])
        : undefined;
    this.complete({
      ok,
      statusCode,
      responseHeaders,
      responseBody: decodeText(Buffer.concat(this.chunks)),
      stage: ok ? null : 'status',
      error: ok ? null : `the response status was ${statusCode}`,
      ...(retryAfterMs !== undefined && { retryAfterMs }),
    });
  }

  private fail(error: Error): void {
    const noResponse = { statusCode: null, responseHeaders: null, responseBody: null };
    const stage = findStage(error, this.stage);
    const localProblem = findLocalProblem(error);
    const { code } = error as NodeJS.ErrnoException;
    this.complete({
      ok: false,
      ...noResponse,
      stage,
      error: describeError(error, stage),
      ...(code !== undefined && { code }),
      ...(localProblem && { localProblem }),
    });
  }

  private complete(result: SendResult): void {
    if (this.isFinished) return;
    this.isFinished = true;
    clearTimeout(this.timer);
    this.resolve(result);
    // If the response is incomplete, the rest is not read: aborting closes the connection.
    this.controller?.abort(new Error('over'));
  }
}

const flattenHeaders = (
  headers: Record<string, string | string[] | undefined>,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]),
  );

/** Decodes UTF-8, and removes NUL characters, which PostgreSQL's `text` cannot hold. */
const decodeText = (bytes: Buffer): string => bytes.toString('utf8').replaceAll('\0', '');
