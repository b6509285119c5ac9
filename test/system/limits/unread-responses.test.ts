import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from '@jest/globals';
import { Client } from '../../support/api/client.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';
import type { Program } from '../../support/processes/program.js';
import { createResource } from '../../support/galley/resources.js';
import { itTimed } from '../../support/it-timed.js';
import { startReadyProgram } from '../../support/processes/galley-programs.js';

const MIB = 1024 * 1024;
const DOCUMENTS = 100;
// A request usually takes milliseconds. With the defect that this test found, the API was silent for 12
// seconds. A busy machine alone has made one request wait for five seconds.
const MAX_WAIT_MS = 8_000;
const MAX_RESIDENT_KIB = MIB;

let galley: Galley;
let eve: Client;
let victim: { client: Client; path: string };
/** The list of all modules of Eve's, and one of the modules. */
let pagePath: string;
let singlePath: string;
let program: Program;
let port: number;
let idleFileCount: number;
const sockets: Socket[] = [];

beforeAll(async () => {
  galley = await startGalley();
  eve = await galley.clientFor('eve');
  const workspaceId = (await galley.createWorkspaceFor('eve')).id;
  const content = { text: randomBytes((3 * MIB) / 4 - 1024).toString('base64') };
  const id = await createResource(eve, '/api/modules', { name: 'Large', workspaceId, content });
  await galley.database.query(
    `WITH reason AS (SELECT set_config('galley.no_event', 'not under test', true)),
     copy AS (
       INSERT INTO documents (id, kind, workspace_id, name, events, created_at, updated_at)
       SELECT gen_random_uuid(), kind, workspace_id, name, 1, now(), now()
       FROM reason, documents, generate_series(2, $2) WHERE id = $1 RETURNING id
     )
     INSERT INTO document_versions (document_id, kind, version, name, content, content_bytes, created_at)
     SELECT copy.id, kind, 1, name, content, content_bytes, now()
     FROM copy, document_versions WHERE document_id = $1`,
    [id, DOCUMENTS],
  );
  pagePath = `/api/modules?workspaceId=${workspaceId}&limit=100`;
  singlePath = `/api/modules/${id}`;
  const victimWorkspace = await galley.createWorkspaceFor('ada');
  const ada = await galley.clientFor('ada');
  const template = { name: 'Small', workspaceId: victimWorkspace.id };
  victim = {
    client: ada,
    path: `/api/templates/${await createResource(ada, '/api/templates', template)}`,
  };
});
afterAll(() => galley.stop());

/** The API as in production, with a small heap and short timeouts. */
beforeEach(async () => {
  const { DATABASE_POOL_SIZE, RATE_LIMIT_USER, RATE_LIMIT_ADDRESS, ...environment } =
    galley.environment;
  const preloadUrl = new URL('../../support/processes/short-stall-timeout.js', import.meta.url)
    .href;
  const nodeArguments = ['--max-old-space-size=512', `--import=${preloadUrl}`];
  const api = await startReadyProgram('api', environment, { nodeArguments });
  const { url } = api;
  ({ program, port } = api);
  victim.client = new Client(url, victim.client.token);
  expect((await victim.client.get(victim.path)).status).toBe(200);
  idleFileCount = await countOpenFiles();
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  program.killGroup();
  await program.exited;
});

/** Sends this many requests of Eve's on each connection, and reads no response. */
async function sendUnreadRequests(
  connections: number,
  path: string,
  requestsPerConnection: number,
): Promise<void> {
  const headers = `host: a\r\nauthorization: Bearer ${eve.token}\r\n`;
  const request = (extraHeaders: string) => `GET ${path} HTTP/1.1\r\n${headers}${extraHeaders}\r\n`;
  for (let opened = 0; opened < connections; opened++) {
    const socket = connect(port, '127.0.0.1').pause();
    socket.on('error', () => undefined);
    sockets.push(socket);
    await once(socket, 'connect');
    // With this header, only a connection with an unread response stays open.
    socket.write(request('').repeat(requestsPerConnection - 1) + request('connection: close\r\n'));
  }
}

const countOpenFiles = async () => (await readdir(`/proc/${program.child.pid}/fd`)).length;

/** The peak memory of the API. */
async function peakResidentKib(): Promise<number> {
  const status = await readFile(`/proc/${program.child.pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]);
}

/** Measures what the victim sees until the attack is over. */
async function watchVictim(isAttackOver: () => Promise<boolean>) {
  const statuses = new Set<number>();
  let longestMs = 0;
  do {
    const startedAt = performance.now();
    statuses.add((await victim.client.get(victim.path)).status);
    longestMs = Math.max(longestMs, performance.now() - startedAt);
    await delay(20);
  } while (!(await isAttackOver()));
  return { statuses: [...statuses], longestMs };
}

itTimed.each([
  ['pages of large documents', 120, () => pagePath, 1],
  // The kernel buffers one or two responses for each connection.
  ['large documents', 300, () => singlePath, 10],
])(
  'unread %s delay no other caller, and their connections are closed',
  async (_title, connections, path, requestsPerConnection) => {
    let isAttacking = true;
    void sendUnreadRequests(connections, path(), requestsPerConnection).finally(
      () => (isAttacking = false),
    );
    const deadline = Date.now() + 120_000;
    // The victim and the health check leave one connection each.
    const areClosed = async () => !isAttacking && (await countOpenFiles()) <= idleFileCount + 2;
    const { statuses, longestMs } = await watchVictim(
      async () => (await areClosed()) || Date.now() > deadline,
    );
    expect({ statuses, areClosed: await areClosed() }).toEqual({
      statuses: [200],
      areClosed: true,
    });
    expect(longestMs).toBeLessThan(MAX_WAIT_MS);
    expect(await peakResidentKib()).toBeLessThan(MAX_RESIDENT_KIB);
  },
);
