import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Client } from '../../support/api/client.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';

const MIB = 1024 * 1024;
const MAX_LEVELS = 500;

describe('larger limits than the defaults', () => {
  let galley: Galley;
  let ada: Client;
  let workspaceId: string;

  beforeAll(async () => {
    galley = await startGalley({
      environment: { MAX_BODY_BYTES: String(2 * MIB), MAX_NESTING: String(MAX_LEVELS) },
    });
    ada = await galley.clientFor('ada');
    workspaceId = (await galley.createWorkspaceFor('ada')).id;
  });
  afterAll(() => galley.stop());

  const post = (content: string) =>
    ada.raw<{ id: string; message: string }>(
      'POST',
      '/api/templates',
      `{"name":"A","workspaceId":"${workspaceId}","content":${content}}`,
      { 'content-type': 'application/json' },
    );

  it('accept larger bodies, up to the last byte', async () => {
    const filler = (bytes: number) => `{"a":"${'x'.repeat(bytes)}"}`;
    const fillerBytes =
      2 * MIB - `{"name":"A","workspaceId":"${workspaceId}","content":${filler(0)}}`.length;
    const largest = await post(filler(fillerBytes));
    expect(largest.status).toBe(201);
    const { text } = await ada.get(`/api/templates/${largest.body.id}`);
    expect(text).toContain(filler(fillerBytes));
    const refused = await post(filler(fillerBytes + 1));
    expect([refused.status, refused.body]).toEqual([
      413,
      {
        statusCode: 413,
        code: 'too_large',
        message: 'The body is too large: the limit is 2 MiB.',
      },
    ]);
  });

  // PostgreSQL also parses the JSON when it stores a document or the copy of a document.
  it('accept, store, copy and return deeper documents', async () => {
    const nestedObject = (levels: number) => `${'{"a":'.repeat(levels)}[]${'}'.repeat(levels)}`;
    const deepest = nestedObject(MAX_LEVELS - 2);
    const { status, body } = await post(deepest);
    expect(status).toBe(201);
    const copy = await ada.post<{ id: string }>(`/api/templates/${body.id}/duplicate`);
    const { text } = await ada.get(`/api/templates/${copy.body.id}`);
    expect(text).toContain(deepest);
    const refused = await post(nestedObject(MAX_LEVELS - 1));
    expect(refused.status).toBe(400);
    expect(refused.body.message).toBe('The body is nested more than 500 levels deep.');
  });
});
