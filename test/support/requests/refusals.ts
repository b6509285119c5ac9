import { expect } from '@jest/globals';
import { errorCodes, type ErrorCode } from '#errors';
import type { ApiResponse } from '../api/api-response.js';
import type { Client } from '../api/client.js';
import { startGalley, type Galley } from '../galley/galley.js';
import { snapshot } from '../galley/database-snapshot.js';

interface Refusal {
  statusCode: number;
  code: ErrorCode;
  message: string;
  details?: { path: string; message: string }[];
}

/**
 * What is wrong, the expected status, `METHOD path`, the body and the headers. A `<name>` in the path or the
 * body is replaced by an id of the fixture. A body is application/json unless there are headers.
 */
export type Case = [string, number, string, unknown?, Record<string, string>?];

/** A Galley with a fixture of every kind of resource, and functions that send bad requests. */
export interface RefusalHarness {
  galley: Galley;
  /** A client that acts as Ada, who owns everything in the fixture. */
  ada: Client;
  fill(text: string): string;
  send<Body>(refusalCase: Case): Promise<ApiResponse<Body>>;
  /** Sends a case and expects the status, a clean error body, and no changed row. */
  expectRefusal(asked: Case): Promise<Refusal>;
}

const JSON_TYPE = { 'content-type': 'application/json' };

// Parts of an error message that would show internals to a caller and not help the caller.
const INTERNAL_TERMS =
  /\n|\bat \S+:\d|\bSELECT\b|\bINSERT\b|Error\b|exception|FST_|\[object|undefined|node_modules|relation "/i;

export async function startRefusalHarness(
  environment: Record<string, string> = {},
): Promise<RefusalHarness> {
  const galley = await startGalley({ environment });
  const ada = await galley.clientFor('ada');
  const names = await createFixture(galley, ada);
  const fill = (text: string) =>
    text.replace(/<(\w+)>/g, (whole, name: string) => names[name] ?? whole);

  // A refusal changes nothing, so the snapshot after one case also serves before the next case.
  let lastSnapshot: Record<string, string> | undefined;

  function send<Body>(asked: Case): Promise<ApiResponse<Body>> {
    lastSnapshot = undefined;
    return request<Body>(asked);
  }

  function request<Body>([, , route, body, headers = JSON_TYPE]: Case): Promise<ApiResponse<Body>> {
    const [method = '', path = ''] = fill(route).split(' ');
    if (body === undefined) return ada.raw<Body>(method, path, undefined, headers);
    if (body instanceof Uint8Array) return ada.raw(method, path, Buffer.from(body), headers);
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return ada.raw(method, path, fill(text), headers);
  }

  async function expectRefusal(asked: Case): Promise<Refusal> {
    const before = lastSnapshot ?? (await snapshot(galley.database));
    const response = await request<Refusal>(asked);
    const { status, text, headers, body } = response;
    // Includes the text of the response, so that a failed test shows it.
    expect([status, text.slice(0, 300)]).toEqual([asked[1], expect.any(String)]);
    const { statusCode, code, message, details, ...rest } = body;
    expect({ statusCode, rest }).toEqual({ statusCode: status, rest: {} });
    expect(errorCodes[code].status).toBe(status);
    expect(message).toMatch(/\S/);
    expect(message).not.toMatch(INTERNAL_TERMS);
    if (details !== undefined) {
      const shape: unknown = { path: expect.any(String), message: expect.any(String) };
      expect(details).toEqual(details.map(() => shape));
    }
    expect(headers.get('content-type')).toMatch(/^application\/json\b/);
    expect(headers.get('x-request-id')).toMatch(/^[\w.-]{1,100}$/);
    lastSnapshot = await snapshot(galley.database);
    expect(lastSnapshot).toEqual(before);
    return body;
  }

  return { galley, ada, fill, send, expectRefusal };
}

async function createFixture(galley: Galley, ada: Client): Promise<Record<string, string>> {
  const workspace = (await galley.createWorkspaceFor('ada')).id;
  const elsewhere = (await galley.createWorkspaceFor('ada')).id;
  const make = async (path: string, body: object) =>
    (await ada.post<{ id: string }>(path, body)).body.id;
  const ids: Record<string, string> = {};
  for (const name of ['One', 'Two']) {
    const workspaceId = workspace;
    const url = `https://${name}.example.com/webhooks`;
    await make('/api/templates', { name, workspaceId: elsewhere });
    ids['template'] = await make('/api/templates', { name, workspaceId });
    ids['module'] = await make('/api/modules', { name, workspaceId, content: {} });
    ids['webhook'] = await make('/api/webhooks', { workspaceId, url, events: ['module.deleted'] });
  }
  const { template = '' } = ids;
  await ada.put(`/api/templates/${template}`, { name: 'Two of two' });

  const eve = await galley.clientFor('eve');
  const { user } = (await eve.get<{ user: { id: string } }>('/api/auth/me')).body;
  const cursorOf = async (list: string) =>
    (await ada.get<{ nextCursor: string }>(`/api/${list}`)).body.nextCursor;
  const cursor = await cursorOf(`templates?limit=1&workspaceId=${workspace}`);
  return {
    ...ids,
    workspace,
    elsewhere,
    user: user.id,
    unknown: '01900000-0000-7000-8000-000000000000',
    cursor,
    searchCursor: await cursorOf(`templates?limit=1&search=o&workspaceId=${workspace}`),
    elsewhereCursor: await cursorOf(`templates?limit=1&workspaceId=${elsewhere}`),
    moduleCursor: await cursorOf(`modules?limit=1&workspaceId=${workspace}`),
    versionCursor: await cursorOf(`templates/${template}/versions?limit=1`),
    sortCursor: await cursorOf(`templates?limit=1&sort=name&workspaceId=${workspace}`),
    // Cursors had this form before they were encrypted.
    plainCursor: Buffer.from(`x.1763683211000.${template}`).toString('base64url'),
  };
}
