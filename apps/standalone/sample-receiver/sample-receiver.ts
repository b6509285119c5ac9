import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { isLoopbackUrl } from '../loopback.js';
import { REACTIONS } from './reactions.js';
import { REACTION_PATH, receiverPage, type ReceivedMessage } from './receiver-page.js';

const PATH = '/sample-receiver';
const MAX_MESSAGES = 50;
const MAX_SHOWN_BYTES = 16 * 1024;
const MAX_FORM_BYTES = 1024;

type Handler = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

export interface SampleReceiver {
  /** The URL for webhooks. In a browser, the same URL shows the messages. */
  url: string;
  stop(): Promise<void>;
}

/**
 * Starts a receiver on the loopback address for a new user's first webhooks. The receiver accepts all messages, keeps
 * the latest ones in memory, and can be set to fail. The receiver does not verify signatures; `receiver.ts` shows how
 * to verify them.
 *
 * @param settingsUrl the target of the page's link to the settings area.
 */
export async function startSampleReceiver(settingsUrl: string, port = 0): Promise<SampleReceiver> {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const url = origin + PATH;
  const messages: ReceivedMessage[] = [];
  let [reaction] = REACTIONS;

  const receive: Handler = async (request, response) => {
    const body = await readStart(request);
    const message = { id: randomUUID(), receivedAt: new Date(), body, reaction };
    messages.unshift({ ...message, headers: headersOf(request) });
    messages.splice(MAX_MESSAGES);
    const { statusCode, delayMs, label } = reaction;
    const timer = setTimeout(
      () => respond(response, statusCode, `This sample receiver is set to “${label}”: ${url}`),
      delayMs,
    );
    response.once('close', () => clearTimeout(timer));
  };

  const showPage: Handler = (_request, response) => {
    const { headers, html } = receiverPage({ url, settingsUrl }, reaction, messages);
    response.writeHead(200, headers).end(html);
  };

  const changeReaction: Handler = async (request, response) => {
    const { host = '', origin: sender, 'content-length': length = Infinity } = request.headers;
    // Another site must not change the reaction.
    if (sender !== `http://${host}` || Number(length) > MAX_FORM_BYTES) {
      respond(response, 403, 'Only the page of this receiver may submit this form.');
      return;
    }
    const name = new URLSearchParams(await text(request)).get('reaction');
    reaction = REACTIONS.find((candidate) => candidate.name === name) ?? reaction;
    response.writeHead(303, { location: PATH }).end();
  };

  const refuse: Handler = (_request, response) =>
    respond(response, 404, `The sample receiver is at ${url}`);

  const handlers = new Map([
    [`POST ${PATH}`, receive],
    [`GET ${PATH}`, showPage],
    [`POST ${REACTION_PATH}`, changeReaction],
  ]);

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '', origin);
    // Prevents DNS rebinding: a site whose name resolves to this machine must not read the messages.
    const isLocal = isLoopbackUrl(`http://${request.headers.host ?? ''}`);
    const handler = isLocal ? handlers.get(`${request.method ?? ''} ${pathname}`) : undefined;
    await (handler ?? refuse)(request, response);
  }

  server.on('request', (request, response) => {
    // `handle` throws if the sender disconnects before the end of the body, or if the path is not valid.
    handle(request, response).catch(() => response.destroy());
  });
  return {
    url,
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function respond(response: ServerResponse, statusCode: number, message: string): void {
  response.writeHead(statusCode, { 'content-type': 'text/plain; charset=utf-8' }).end(message);
}

/** Reads the whole body, but returns only the beginning, because the page shows no more. */
async function readStart(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    if (length < MAX_SHOWN_BYTES) chunks.push(chunk as Buffer);
    length += (chunk as Buffer).length;
  }
  return Buffer.concat(chunks).subarray(0, MAX_SHOWN_BYTES).toString('utf8');
}

const headersOf = ({ headers }: IncomingMessage): ReceivedMessage['headers'] =>
  Object.entries(headers).map(([name, value]) => [name, String(value)]);
