import type { Server } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import { idleSocketsOf, isLatestRequest } from './http/connections.js';

// A proxy may be sending a request on a connection that still looks idle to Galley. If Galley closed the connection, a
// POST would fail, because a proxy must not retry it. Idle connections therefore stay open for a while. Under load, the
// proxy uses each of them once more, and the response closes the connection.
const IDLE_CONNECTIONS_MS = 2_000;
// The maximum time for accepting connections from the listen backlog. Only a flood of connections takes this long.
const MAX_ACCEPTING_MS = 1_000;
// Connections that are still open after this time are closed. Compose and the Helm chart wait longer before they kill
// an API.
const MAX_DRAIN_MS = 25_000;

/**
 * Stops the API after a signal without causing errors for callers. The API accepts no new connections, handles the
 * requests that arrive on open connections, and sends `Connection: close` with each response.
 */
@Injectable()
export class GracefulStop implements BeforeApplicationShutdown {
  private isStopping = false;

  constructor(private readonly adapterHost: HttpAdapterHost) {}

  install(fastify: FastifyInstance): void {
    fastify.addHook('onSend', (request, reply, payload, done) => {
      // Only the response to the latest request may close the connection, because clients discard all responses after
      // `Connection: close`.
      if (this.isStopping && isLatestRequest(request.raw)) void reply.header('connection', 'close');
      done(null, payload);
    });
  }

  /** @param signal undefined if the program closes the API itself. */
  async beforeApplicationShutdown(signal?: string): Promise<void> {
    const server = this.adapterHost.httpAdapter.getHttpServer() as Server;
    setTimeout(() => server.closeAllConnections(), MAX_DRAIN_MS).unref();
    if (signal === undefined) return;
    this.isStopping = true;
    const idleTimer = closeSilentConnections(server);
    await acceptWaiting(server);
    // The HTTP server's own `close` would also close idle connections immediately.
    await new Promise<unknown>((resolve) => NetServer.prototype.close.call(server, resolve));
    clearInterval(idleTimer);
  }
}

/**
 * Accepts the connections that are still in the listen backlog, because closing the listener would reset them. Each
 * iteration of the event loop accepts one connection. Two iterations without a connection mean that the backlog is
 * empty. One is not enough, because the first iteration may be the one that handles the signal.
 */
async function acceptWaiting(server: Server): Promise<void> {
  const deadline = performance.now() + MAX_ACCEPTING_MS;
  let idleTurns = 0;
  const count = () => (idleTurns = 0);
  server.on('connection', count);
  while (idleTurns++ < 2 && performance.now() < deadline) await nextTurn();
  server.off('connection', count);
}

/** Closes idle connections that have received nothing since the previous check. */
function closeSilentConnections(server: Server): NodeJS.Timeout {
  const bytesRead = new Map<Socket, number>();
  const look = () => {
    for (const socket of idleSocketsOf(server)) {
      if (bytesRead.get(socket) === socket.bytesRead) socket.destroy();
      else bytesRead.set(socket, socket.bytesRead);
    }
  };
  look();
  return setInterval(look, IDLE_CONNECTIONS_MS);
}
