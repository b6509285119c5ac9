import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Pool, type Dispatcher } from 'undici';
import { AddressPolicy } from './addresses.js';
import {
  localProblemOf,
  sentenceOf,
  StageError,
  stageOf,
  type LocalProblem,
  type Stage,
} from './attempt-errors.js';
import { guardedConnector } from './connector.js';
import { problemOfTarget, type TargetPolicy } from './endpoint-url.js';
import { OriginConnections } from './origin-connections.js';
import { problemOfProxy, proxyAgent } from './proxy.js';
import { parseRetryAfter } from './retry-schedule.js';
import { socketLimit } from './socket-limit.js';
import { WEBHOOKS_OPTIONS, type WebhooksOptions } from './webhooks.options.js';

/** How an attempt ended. */
export interface SendResult {
  ok: boolean;
  /** Null when there was no answer; `error` says why. */
  statusCode: number | null;
  /** Where it failed; null after a success. */
  stage: Stage | null;
  error: string | null;
  responseHeaders: Record<string, string> | null;
  /** The first 16 KiB at most. */
  responseBody: string | null;
  /** Milliseconds that the receiver asked to wait (429 and 503 only). */
  retryAfter?: number;
  /** Of the system's error behind `error`, if there is one. */
  code?: string;
  /** Why nothing was sent, if no receiver is to blame. */
  localProblem?: LocalProblem;
}

/** From the beginning of the attempt to the headers of the answer. Its status is what counts. */
export const SEND_TIMEOUT_MS = 15_000;
// How much of an answer is kept, and how long it is waited for. Nothing depends on it.
const MAX_BODY_BYTES = 16 * 1024;
const MAX_BODY_MS = 1_000;
const MAX_HEADER_BYTES = 16 * 1024;
const MAX_KEEP_ALIVE_MS = 60_000;
// More than any server sends: each costs processor time, and none says how the attempt ended.
const MAX_INFORMATIONAL = 5;

/** Posts notifications. It connects to no address that the policy refuses and follows no redirect. */
@Injectable()
export class Sender implements OnApplicationShutdown {
  private readonly connections: OriginConnections;
  private readonly targets: TargetPolicy;
  private readonly proxyUrl: string | undefined;

  constructor(
    @Inject(WEBHOOKS_OPTIONS)
    { allowedRanges, allowedPorts, proxyUrl }: Omit<WebhooksOptions, 'allowHttp' | 'maxEndpoints'>,
  ) {
    this.proxyUrl = proxyUrl;
    this.targets = { addresses: new AddressPolicy(allowedRanges), allowedPorts };
    // Without `allowH2` the first requests to an origin would wait for one connection to show its protocol.
    // Not `connections`: how many requests go to one origin at once is decided by who claims deliveries,
    // and a request that waited for a connection here would look like one that the receiver left waiting.
    const limits = {
      maxHeaderSize: MAX_HEADER_BYTES,
      keepAliveMaxTimeout: MAX_KEEP_ALIVE_MS,
      // An attempt has a limit of its own for all of it.
      headersTimeout: 0,
      bodyTimeout: 0,
    };
    this.connections = new OriginConnections(
      proxyUrl === undefined
        ? (origin, connect) => new Pool(origin, { ...limits, connect, allowH2: false })
        : () => proxyAgent(proxyUrl, limits),
      guardedConnector(this.targets.addresses),
      socketLimit(),
    );
  }

  /**
   * It never throws: whatever happens is how the attempt ended.
   * @param signal ends the attempt.
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
      const attempt = new Exchange(resolve, release);
      signal?.addEventListener('abort', () => attempt.abort());
      try {
        this.check(target);
        dispatcher.dispatch(
          { origin, path: pathname + search, method: 'POST', headers, body },
          attempt,
        );
      } catch (error) {
        attempt.onResponseError(undefined, error as Error);
      }
    });
  }

  /** Returns what keeps all notifications from being sent, if something does. */
  async problem(): Promise<string | undefined> {
    return this.proxyUrl === undefined ? undefined : problemOfProxy(this.proxyUrl);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.connections.close();
  }

  /** Also in front of a proxy, and of a connection that is already open. */
  private check(target: URL): void {
    const problem = problemOfTarget(target, this.targets);
    if (problem === 'port') {
      const ports = this.targets.allowedPorts.join(', ');
      throw new StageError('connect', `the operator allows only the ports ${ports}`);
    }
    const host = target.hostname;
    if (problem === 'name') throw new StageError('dns', `${host} is not a valid host name`);
    if (problem === 'address') throw new StageError('dns', `${host} is not a public address`);
  }
}

/** One request and what comes back, step by step. */
class Exchange implements Dispatcher.DispatchHandler {
  private stage: Stage = 'connect';
  private controller: Dispatcher.DispatchController | undefined;
  private answer: { statusCode: number; responseHeaders: Record<string, string> } | undefined;
  private readonly chunks: Buffer[] = [];
  private bytes = 0;
  private timer: NodeJS.Timeout;
  private isOver = false;
  private informational = 0;

  /** @param release is called when undici has nothing more to do for the request. */
  constructor(
    private readonly resolve: (result: SendResult) => void,
    private readonly release: () => void,
  ) {
    this.timer = setTimeout(() => {
      this.fail(new StageError(this.stage, `no answer within ${SEND_TIMEOUT_MS / 1000} s`));
    }, SEND_TIMEOUT_MS);
  }

  abort(): void {
    if (this.answer) this.finish();
    else
      this.fail(
        new StageError(this.stage, 'the endpoint was deleted before the receiver responded'),
      );
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    this.stage = 'send';
    if (this.isOver) controller.abort(new Error('too late'));
  }

  onRequestSent(): void {
    this.stage = 'first-byte';
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    statusCode: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    // 1xx announces the answer.
    if (statusCode < 200) {
      if (++this.informational > MAX_INFORMATIONAL) {
        this.fail(
          new StageError(
            this.stage,
            `the receiver sent more than ${MAX_INFORMATIONAL} informational responses (1xx)`,
          ),
        );
      }
      return;
    }
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.finish(), MAX_BODY_MS);
    this.answer = { statusCode, responseHeaders: plain(headers) };
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.chunks.push(chunk.subarray(0, MAX_BODY_BYTES - this.bytes));
    this.bytes += chunk.length;
    if (this.bytes > MAX_BODY_BYTES) this.finish();
  }

  onResponseEnd(): void {
    // There is nothing to abort: the connection is free for the next one.
    this.controller = undefined;
    this.release();
    this.finish();
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.release();
    // Its status has come already, and that is what counts.
    if (this.answer) this.finish();
    else this.fail(error);
  }

  private finish(): void {
    if (this.answer === undefined) return;
    const { statusCode, responseHeaders } = this.answer;
    const ok = statusCode >= 200 && statusCode < 300;
    const retryAfter =
      statusCode === 429 || statusCode === 503
        ? parseRetryAfter(responseHeaders['retry-after'])
        : undefined;
    this.end({
      ok,
      statusCode,
      responseHeaders,
      responseBody: textOf(Buffer.concat(this.chunks)),
      stage: ok ? null : 'status',
      error: ok ? null : `the answer was ${statusCode}`,
      ...(retryAfter !== undefined && { retryAfter }),
    });
  }

  private fail(error: Error): void {
    const nothing = { statusCode: null, responseHeaders: null, responseBody: null };
    const stage = stageOf(error, this.stage);
    const localProblem = localProblemOf(error);
    const { code } = error as NodeJS.ErrnoException;
    this.end({
      ok: false,
      ...nothing,
      stage,
      error: sentenceOf(error, stage),
      ...(code !== undefined && { code }),
      ...(localProblem && { localProblem }),
    });
  }

  private end(result: SendResult): void {
    if (this.isOver) return;
    this.isOver = true;
    clearTimeout(this.timer);
    this.resolve(result);
    // What still comes costs the connection and is not read.
    this.controller?.abort(new Error('over'));
  }
}

const plain = (headers: Record<string, string | string[] | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]),
  );

/** PostgreSQL keeps no NUL in a text. */
const textOf = (bytes: Buffer): string => bytes.toString('utf8').replaceAll('\0', '');
