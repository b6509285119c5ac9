import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

interface Received {
  method: string;
  headers: IncomingHttpHeaders;
  body: string;
  at: number;
}

export type Behaviour = (response: ServerResponse, request: IncomingMessage) => void;

/** Closes the connection before a response. */
export const reset: Behaviour = (_response, { socket }) => socket.resetAndDestroy();

/** Closes the connection in the middle of a response. */
export const truncate: Behaviour = (response, { socket }) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': 1000 });
  response.write('{"data": [', () => socket.resetAndDestroy());
};

/** Sends nothing, and keeps the connection open. */
export const hang: Behaviour = () => undefined;

/** Sends the beginning of a response, and keeps the connection open. */
export const stall: Behaviour = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write('{"data": [');
};

export const respond =
  (status: number, body: unknown = {}, headers: Record<string, string> = {}): Behaviour =>
  (response) => {
    const type = { 'content-type': 'application/json', 'x-request-id': 'of-the-server' };
    response.writeHead(status, { ...type, ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };

/**
 * An HTTP server that handles each request with the next step of its script, and repeats the last step for
 * all further requests.
 */
export class ScriptedServer {
  readonly received: Received[] = [];
  private script: Behaviour[] = [];

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(): Promise<ScriptedServer> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const scriptedServer = new ScriptedServer(server, url);
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      void scriptedServer.behaveAs(request, response);
    });
    return scriptedServer;
  }

  /** Starts a new script, and forgets earlier requests. */
  behave(...script: Behaviour[]): void {
    this.script = script;
    this.received.length = 0;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async behaveAs(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', headers } = request;
    const body = await text(request);
    const behaviour = this.script[Math.min(this.received.length, this.script.length - 1)];
    this.received.push({ method, headers, body, at: performance.now() });
    behaviour?.(response, request);
  }
}
