import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { loadApiConfig, loadWorkerConfig } from '#config';
import { FairQueue } from '#fair-queue';
import {
  databaseWaits,
  MAX_WAITING,
  WAIT_TIMEOUT_MS,
} from '../../../apps/api/admission/database-waits.js';
import type { Client } from '../../support/api/client.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';
import { createResource } from '../../support/galley/resources.js';

const limitsPage = await readFile('docs/use/limits.md', 'utf8');

/** The number that the page states for a limit. */
function documentedLimit(limit: string): number {
  const row = limitsPage.split('\n').find((line) => line.startsWith(`| ${limit}`));
  const [, , value = ''] = row?.split('|') ?? [];
  return Number(/[\d,]+/.exec(value)?.[0].replaceAll(',', ''));
}

describe('a documented limit is the real one:', () => {
  let galley: Galley;
  let ada: Client;
  let workspaceId: string;
  let webhookId: string;

  const events = ['module.created'];
  const url = 'https://example.com/';

  beforeAll(async () => {
    galley = await startGalley();
    ada = await galley.clientFor('ada');
    workspaceId = (await galley.createWorkspaceFor('ada')).id;
    webhookId = await createResource(ada, '/api/webhooks', { workspaceId, url, events });
  });
  afterAll(() => galley.stop());

  const createModule = (fields: object) =>
    ada.post('/api/modules', { name: 'A', workspaceId, content: {}, ...fields });
  const listTemplates = (query: string) =>
    ada.get(`/api/templates?workspaceId=${workspaceId}&${query}`);
  const updateWebhook = (fields: object) => ada.put(`/api/webhooks/${webhookId}`, fields);
  const textOfLength = (count: number) => 'x'.repeat(count);
  const headers = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`x-${index}`, 'y']));
  const emailOf = (length: number) => {
    const domain = `${textOfLength(63)}.${textOfLength(63)}.${textOfLength(63)}.com`;
    return `${textOfLength(length - domain.length - 1)}@${domain}`;
  };

  it.each<[limit: string, ask: (value: number) => Promise<{ status: number }>]>([
    ['names', (value) => createModule({ name: textOfLength(value) })],
    ['`externalId`', (value) => createModule({ externalId: textOfLength(value) })],
    ['category', (value) => createModule({ category: textOfLength(value) })],
    ['description', (value) => createModule({ description: textOfLength(value) })],
    ['description', (value) => updateWebhook({ description: textOfLength(value) })],
    ['`search`', (value) => listTemplates(`search=${textOfLength(value)}`)],
    [
      'email',
      (value) => {
        const member = { email: emailOf(value), role: 'viewer' };
        return ada.post(`/api/workspaces/${workspaceId}/members`, member);
      },
    ],
    ['entries of a page', (value) => listTemplates(`limit=${value}`)],
    ['`url`', (value) => updateWebhook({ url: url + textOfLength(value - url.length) })],
    [
      '`resourceIds`',
      (value) => updateWebhook({ resourceIds: Array.from({ length: value }, randomUUID) }),
    ],
    ['`headers` of', (value) => updateWebhook({ headers: headers(value) })],
    [
      'name of such a header',
      (value) => updateWebhook({ headers: { [textOfLength(value)]: 'y' } }),
    ],
    [
      'value of such a header',
      (value) => updateWebhook({ headers: { 'x-a': textOfLength(value) } }),
    ],
    ['`rateLimit`', (value) => updateWebhook({ rateLimit: value })],
    [
      '`overlapHours`',
      (value) => ada.post(`/api/webhooks/${webhookId}/secret/rotate`, { overlapHours: value }),
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
        const client = ada.with({ 'idempotency-key': textOfLength(value) });
        return client.post('/api/templates', { name: 'A', workspaceId });
      },
    ],
    ['levels', (value) => createModule({ content: nested(value - 1) })],
  ])('%s', async (limit, send) => {
    const value = documentedLimit(limit);
    expect((await send(value)).status).toBeLessThan(300);
    expect((await send(value + 1)).status).toBe(400);
  });
});

const nested = (levels: number): object => (levels === 1 ? {} : { a: nested(levels - 1) });

const environment = {
  DATABASE_URL: 'postgres://a',
  SECRETS_KEYS: Buffer.alloc(32).toString('base64'),
  AUTH_ISSUER: 'https://id.example.com',
  AUTH_AUDIENCE: 'galley',
};

it('the defaults of variables are those on the page', () => {
  const config = loadApiConfig(environment);
  const { RATE_LIMIT_USER, RATE_LIMIT_ADDRESS, MAX_NESTING, MAX_BODY_BYTES } = config;
  const { MAX_BATCH_BYTES, TRASH_DAYS } = config;
  const { RETENTION_DAYS, AUDIT_RETENTION_DAYS, WORKER_CONCURRENCY } =
    loadWorkerConfig(environment);
  const documentedValues = [
    'requests of one user',
    'requests from one IP',
    'levels',
    'body  ',
    'each `content` in',
    'body of a batch',
    'events, deliveries',
    'templates, modules, their versions',
    'the audit log',
    'deliveries that one worker',
  ].map(documentedLimit);
  expect(documentedValues).toEqual([
    RATE_LIMIT_USER,
    RATE_LIMIT_ADDRESS,
    MAX_NESTING,
    MAX_BODY_BYTES / 2 ** 20,
    MAX_BODY_BYTES / 2 ** 20,
    MAX_BATCH_BYTES / 2 ** 20,
    RETENTION_DAYS,
    TRASH_DAYS,
    AUDIT_RETENTION_DAYS,
    WORKER_CONCURRENCY,
  ]);
});

it('the number of concurrent requests is that on the page', () => {
  const { DATABASE_POOL_SIZE } = loadApiConfig(environment);
  const queue = new FairQueue(
    DATABASE_POOL_SIZE - 1,
    databaseWaits({ wasSilentWithin: () => false }),
  );
  let running = 0;
  for (let sent = 0; sent < DATABASE_POOL_SIZE; sent++) {
    const ticket = queue.enter('a caller', (_ticket, refusal) => {
      if (!refusal) running++;
    });
    if (ticket.state === 'waiting') queue.leave(ticket);
  }
  const documentedValues = [
    'running requests',
    'waiting requests',
    'time that a request waits',
  ].map(documentedLimit);
  expect(documentedValues).toEqual([running, MAX_WAITING, WAIT_TIMEOUT_MS / 1000]);
});
