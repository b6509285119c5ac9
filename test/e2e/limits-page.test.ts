import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { apiConfig, workerConfig } from '#config';
import { FairQueue, MOST_WAITING, PATIENCE_MS } from '../../apps/api/admission/fair-queue.js';
import type { Client } from '../support/client.js';
import { startGalley, type Galley } from '../support/galley.js';
import { make } from '../support/resources.js';

const page = await readFile('docs/limits.md', 'utf8');

/** The number that the page gives for a limit. */
function valueOf(limit: string): number {
  const row = page.split('\n').find((line) => line.startsWith(`| ${limit}`));
  const [, , value = ''] = row?.split('|') ?? [];
  return Number(/[\d,]+/.exec(value)?.[0].replaceAll(',', ''));
}

describe('a limit on the page is where it says:', () => {
  let galley: Galley;
  let ada: Client;
  let workspaceId: string;
  let webhook: string;

  const events = ['module.created'];
  const url = 'https://example.com/';

  beforeAll(async () => {
    galley = await startGalley();
    ada = await galley.as('ada');
    workspaceId = (await galley.workspaceOf('ada')).id;
    webhook = await make(ada, '/api/webhooks', { workspaceId, url, events });
  });
  afterAll(() => galley.stop());

  const createModule = (fields: object) =>
    ada.post('/api/modules', { name: 'A', workspaceId, content: {}, ...fields });
  const list = (query: string) => ada.get(`/api/templates?workspaceId=${workspaceId}&${query}`);
  const put = (fields: object) => ada.put(`/api/webhooks/${webhook}`, fields);
  const xs = (count: number) => 'x'.repeat(count);
  const headers = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`x-${at}`, 'y']));
  const emailOf = (length: number) => {
    const domain = `${xs(63)}.${xs(63)}.${xs(63)}.com`;
    return `${xs(length - domain.length - 1)}@${domain}`;
  };

  it.each<[limit: string, ask: (value: number) => Promise<{ status: number }>]>([
    ['names', (value) => createModule({ name: xs(value) })],
    ['category', (value) => createModule({ category: xs(value) })],
    ['description', (value) => createModule({ description: xs(value) })],
    ['description', (value) => put({ description: xs(value) })],
    ['`search`', (value) => list(`search=${xs(value)}`)],
    [
      'e-mail',
      (value) => {
        const member = { email: emailOf(value), role: 'viewer' };
        return ada.post(`/api/workspaces/${workspaceId}/members`, member);
      },
    ],
    ['entries of a page', (value) => list(`limit=${value}`)],
    ['`url`', (value) => put({ url: url + xs(value - url.length) })],
    ['`resourceIds`', (value) => put({ resourceIds: Array.from({ length: value }, randomUUID) })],
    ['`headers` of', (value) => put({ headers: headers(value) })],
    ['name of such a header', (value) => put({ headers: { [xs(value)]: 'y' } })],
    ['value of such a header', (value) => put({ headers: { 'x-a': xs(value) } })],
    ['`rateLimit`', (value) => put({ rateLimit: value })],
    [
      '`overlapHours`',
      (value) => ada.post(`/api/webhooks/${webhook}/secret/rotate`, { overlapHours: value }),
    ],
    [
      'operations of a batch',
      (value) => {
        const operations = Array<object>(value).fill({ action: 'create', name: 'A' });
        return ada.post('/api/templates/batch', { workspaceId, operations });
      },
    ],
    [
      '`Idempotency-Key`',
      (value) => {
        const client = ada.with({ 'idempotency-key': xs(value) });
        return client.post('/api/templates', { name: 'A', workspaceId });
      },
    ],
    ['levels', (value) => createModule({ content: nested(value - 1) })],
  ])('%s', async (limit, ask) => {
    const value = valueOf(limit);
    expect((await ask(value)).status).toBeLessThan(300);
    expect((await ask(value + 1)).status).toBe(400);
  });
});

const nested = (levels: number): object => (levels === 1 ? {} : { a: nested(levels - 1) });

const environment = {
  ...{ DATABASE_URL: 'postgres://a', SECRETS_KEY: Buffer.alloc(32).toString('base64') },
  ...{ AUTH_ISSUER: 'https://id.example.com', AUTH_AUDIENCE: 'galley' },
};

it('what the page says of variables are their defaults', () => {
  const { RATE_LIMIT_USER, RATE_LIMIT_ADDRESS, MAX_NESTING, MAX_BODY_BYTES, MAX_BATCH_BYTES } =
    apiConfig(environment);
  const { RETENTION_DAYS, WORKER_CONCURRENCY } = workerConfig(environment);
  const said = [
    ...['requests of one user', 'requests from one IP', 'levels', 'body  '],
    ...['each `content` in', 'body of a batch', 'events, deliveries', 'deliveries that one worker'],
  ].map(valueOf);
  expect(said).toEqual([
    ...[RATE_LIMIT_USER, RATE_LIMIT_ADDRESS, MAX_NESTING, MAX_BODY_BYTES / 2 ** 20],
    ...[MAX_BODY_BYTES / 2 ** 20, MAX_BATCH_BYTES / 2 ** 20],
    ...[RETENTION_DAYS, WORKER_CONCURRENCY],
  ]);
});

it('what the page says of requests that run at once is so', () => {
  const { DATABASE_POOL_SIZE } = apiConfig(environment);
  const slots = new FairQueue(DATABASE_POOL_SIZE - 1);
  let running = 0;
  for (let sent = 0; sent < DATABASE_POOL_SIZE; sent++) {
    const ticket = slots.enter('a caller', (_ticket, refusal) => {
      if (!refusal) running++;
    });
    if (ticket.state === 'waiting') slots.leave(ticket);
  }
  const said = ['running requests', 'waiting requests', 'time that a request waits'].map(valueOf);
  expect(said).toEqual([running, MOST_WAITING, PATIENCE_MS / 1000]);
});
