import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { probePort } from '../../../apps/standalone/ports.js';
import { eventually } from '../../support/eventually.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';
import { hasNginx, Nginx } from '../../support/network/nginx.js';
import { startProgram, waitUntilReady } from '../../support/processes/galley-programs.js';
import type { Program } from '../../support/processes/program.js';
import { RawConnection } from '../../support/requests/raw-connection.js';

const RESTARTS = 10;
// About 40 seconds, and far more on a machine that has too much to do.
const TIMEOUT_MS = 400_000;
const CALLERS = 4;
// Between the changes of a caller, so that the processor has time for the restarts.
const PAUSE_MS = 25;
// How many requests a restarted API handles before the other API is restarted.
const REQUESTS_BETWEEN_RESTARTS = 20;
// The body of a slow request arrives in this many parts, in about a second.
const BODY_PARTS = 10;
const PART_PAUSE_MS = 100;
const BATCH_SIZE = 50;

interface Api {
  port: number;
  program: Program;
}

let galley: Galley;
let apis: Api[] = [];
let token: string;
let workspaceId: string;
const agent = new Agent({ keepAlive: true });

beforeAll(async () => {
  galley = await startGalley();
  apis = await Promise.all([await probePort(0), await probePort(0)].map(startApi));
  token = await galley.issuer.token('ada');
  workspaceId = (await galley.createWorkspaceFor('ada')).id;
});
afterAll(async () => {
  for (const { program } of apis) program.killGroup();
  await galley.stop();
});

/** Starts an API on the database of `galley`, and waits until it is ready. */
async function startApi(port: number): Promise<Api> {
  const api = await startProgram('api', { ...galley.environment, LOG_LEVEL: 'info' }, { port });
  await waitUntilReady(api);
  return { port, program: api.program };
}

/** Stops an API as an orchestrator does. */
async function stopApi({ program }: Api): Promise<void> {
  program.signal('SIGTERM');
  expect(await program.exited).toEqual([0, null]);
}

const isRefused = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => resolve(false)).on('error', () => resolve(true));
    socket.on('connect', () => socket.destroy());
  });

const template = (name: string) => JSON.stringify({ workspaceId, name, content: { text: 'x' } });

/** The lines of a request that creates a template. */
const creation = (body: string) => [
  'POST /api/templates HTTP/1.1',
  `authorization: Bearer ${token}`,
  'content-type: application/json',
  `content-length: ${body.length}`,
];

it('an API that stops serves its open connections, and closes each with its last response', async () => {
  const api = apis[0] as Api;
  const url = `http://127.0.0.1:${api.port}`;
  const connections = await Promise.all([1, 2, 3].map(() => RawConnection.open(url)));
  const [idle, busy, pipelining] = connections as [RawConnection, RawConnection, RawConnection];
  for (const connection of connections) {
    connection.send(['GET /health/live HTTP/1.1']);
    await connection.responses(1);
  }
  // As a browser that connects before it needs the connection. It must not delay the end.
  await RawConnection.open(url);
  const body = template('Open');
  busy.send(creation(body), body.slice(0, 9));
  const signalledAt = Date.now();
  api.program.signal('SIGTERM');
  await eventually('new connections to be refused', () => isRefused(api.port));
  idle.send(creation(body), body);
  // In one piece, so that the API has both requests before it responds to the first one.
  pipelining.send(creation(body), `${body}GET /health/live HTTP/1.1\r\nhost: galley.test\r\n\r\n`);
  busy.socket.write(body.slice(9));
  expect(await idle.responses(2)).toEqual([200, 201]);
  expect(await busy.responses(2)).toEqual([200, 201]);
  expect(await pipelining.responses(3)).toEqual([200, 201, 200]);
  for (const connection of connections) {
    await eventually('the end', () => connection.isClosed);
    const heads = connection.text.split('HTTP/1.1').slice(1);
    const closing = heads.filter((head) => /^connection: close/im.test(head));
    expect(closing).toEqual(heads.slice(-1));
  }
  expect(await api.program.exited).toEqual([0, null]);
  // All connections that are still open would be closed after 25 s.
  expect(Date.now() - signalledAt).toBeLessThan(15_000);
  apis[0] = await startApi(api.port);
});

it('an API that stops serves the clients that have connected, and that it has not yet accepted', async () => {
  const api = apis[0] as Api;
  const url = `http://127.0.0.1:${api.port}`;
  api.program.signal('SIGSTOP');
  const connections = await Promise.all(Array.from({ length: 20 }, () => RawConnection.open(url)));
  const body = template('Waiting');
  for (const connection of connections) connection.send(creation(body), body);
  api.program.signal('SIGTERM');
  api.program.signal('SIGCONT');
  for (const connection of connections) expect(await connection.responses(1)).toEqual([201]);
  expect(await api.program.exited).toEqual([0, null]);
  apis[0] = await startApi(api.port);
});

/** Sends a request, and waits for its whole response. */
async function send(baseUrl: string, method: string, path: string, parts: readonly string[]) {
  const outgoing = request(new URL(path, baseUrl), {
    agent,
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  });
  const response = once(outgoing, 'response') as Promise<[IncomingMessage]>;
  // The error is thrown below, when all parts are sent.
  response.catch(() => undefined);
  for (const [index, part] of parts.entries()) {
    if (index > 0) await delay(PART_PAUSE_MS);
    outgoing.write(part);
  }
  outgoing.end();
  const [incoming] = await response;
  return { status: incoming.statusCode ?? 0, body: await text(incoming) };
}

/** Sends requests until it is stopped, and counts their outcomes. */
class Load {
  readonly outcomes = new Map<string, number>();
  private isRunning = true;
  private readonly callers: Promise<void>[];

  constructor(private readonly baseUrl: string) {
    const changing = Array.from({ length: CALLERS }, () => () => this.changeTemplate());
    const works = [...changing, () => this.createSlowly(), () => this.createMany()];
    this.callers = works.map((work) => this.repeat(work));
  }

  async stop(): Promise<void> {
    this.isRunning = false;
    await Promise.all(this.callers);
  }

  private async repeat(work: () => Promise<unknown>): Promise<void> {
    while (this.isRunning) {
      await work();
      await delay(PAUSE_MS);
    }
  }

  private async call(method: string, path: string, ...parts: string[]): Promise<string> {
    const { status, body } = await send(this.baseUrl, method, path, parts).catch(
      (error: unknown) => ({ status: String(error), body: '{}' }),
    );
    const outcome = `${method} ${status}`;
    this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1);
    return body;
  }

  private async changeTemplate(): Promise<void> {
    const created = await this.call('POST', '/api/templates', template('Welcome'));
    const { id } = JSON.parse(created) as { id?: string };
    const path = `/api/templates/${id}`;
    await this.call('GET', path);
    await this.call('GET', `/api/templates?workspaceId=${workspaceId}`);
    await this.call('PUT', path, '{"name":"Hello"}');
    await this.call('DELETE', path);
  }

  private createSlowly(): Promise<string> {
    const padding = Array.from({ length: BODY_PARTS }, () => ' ');
    return this.call('POST', '/api/templates', ...padding, template('Slow'));
  }

  private createMany(): Promise<string> {
    const operation = { action: 'create', name: 'Many', content: { text: 'x'.repeat(1_000) } };
    const operations = Array.from({ length: BATCH_SIZE }, () => operation);
    const batch = JSON.stringify({ workspaceId, operations });
    return this.call('POST', '/api/templates/batch', batch);
  }
}

/** Waits until nginx sends requests to the API. */
async function untilBusy({ program }: Api): Promise<void> {
  const count = () => program.output.split('"statusCode":').length;
  const enough = count() + REQUESTS_BETWEEN_RESTARTS;
  await eventually('requests', () => count() >= enough);
}

(hasNginx ? it : it.skip)(
  'rolling restarts behind nginx cost no request',
  async () => {
    const nginx = await Nginx.start(apis.map(({ port }) => port));
    const [before] = await countCreations();
    const load = new Load(nginx.url);
    for (let restart = 0; restart < RESTARTS; restart++) {
      const index = restart % apis.length;
      const api = apis[index] as Api;
      await untilBusy(apis[1 - index] as Api);
      await stopApi(api);
      apis[index] = await startApi(api.port);
    }
    await load.stop();
    agent.destroy();
    await nginx.stop();
    const { outcomes } = load;
    expect([...outcomes.keys()].sort()).toEqual([
      'DELETE 204',
      'GET 200',
      'POST 200',
      'POST 201',
      'PUT 200',
    ]);
    // No request was made twice.
    const [after] = await countCreations();
    expect(Number(after?.count) - Number(before?.count)).toBe(
      (outcomes.get('POST 201') ?? 0) + BATCH_SIZE * (outcomes.get('POST 200') ?? 0),
    );
  },
  TIMEOUT_MS,
);

const countCreations = () =>
  galley.database.query<{ count: string }>(
    `SELECT count(*) FROM outbox WHERE kind = 'template.created'`,
  );
