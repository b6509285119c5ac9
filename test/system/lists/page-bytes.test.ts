import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Client } from '../../support/api/client.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';
import { createResource } from '../../support/galley/resources.js';

const MIB = 1024 * 1024;
const MAX_PAGE_BYTES = 4 * MIB;
// A little less than 1 MiB, so that four documents fit into a page.
const MAX_DOCUMENT_BYTES = MIB - 1024;

interface Row {
  id?: string;
  version?: number;
  content: { text: string };
}

interface List {
  data: Row[];
  nextCursor: string | null;
}

let galley: Galley;
let ada: Client;
let workspaceId: string;

beforeAll(async () => {
  galley = await startGalley({ environment: { MAX_BODY_BYTES: String(6 * MIB) } });
  ada = await galley.clientFor('ada');
});
afterAll(() => galley.stop());

/**
 * If `variant` is even, a document that PostgreSQL cannot compress. Otherwise, one that compresses to
 * almost nothing.
 */
const createDocument = (bytes: number, variant: number) => ({
  text:
    variant % 2 === 0
      ? randomBytes(bytes).toString('base64').slice(0, bytes)
      : String.fromCharCode(97 + variant).repeat(bytes),
});

/** All pages of a list, each with the bytes of its documents. */
async function pagesOf(path: string): Promise<{ rows: Row[]; bytes: number }[]> {
  const pages = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const { status, body }: { status: number; body: List } = await ada.get(path + cursor);
    expect(status).toBe(200);
    const sizes = body.data.map(({ content }) => JSON.stringify(content).length);
    pages.push({ rows: body.data, bytes: sizes.reduce((sum, size) => sum + size, 0) });
    cursor = body.nextCursor && `&cursor=${body.nextCursor}`;
  }
  return pages;
}

describe.each([
  ['templates', 'updatedAt'],
  ['templates', '-name'],
  ['modules', '-updatedAt'],
  ['versions', ''],
])('a page of %s by %s', (list, sort) => {
  const path = list === 'modules' ? '/api/modules' : '/api/templates';
  let listUrl: string;
  const createDocuments = async (contents: object[]) => {
    workspaceId = (await galley.createWorkspaceFor('ada')).id;
    let templateId = '';
    for (const [at, content] of contents.entries()) {
      if (list === 'versions' && templateId !== '') {
        await ada.put(`${path}/${templateId}`, { content });
      } else
        templateId = await createResource(ada, path, { name: `Name ${at}`, workspaceId, content });
    }
    listUrl =
      list === 'versions'
        ? `${path}/${templateId}/versions?content=true&limit=100`
        : `${path}?workspaceId=${workspaceId}&limit=100${sort && `&sort=${sort}`}`;
    return contents.length;
  };

  it('ends before its documents exceed the limit, and the next page continues', async () => {
    const count = await createDocuments(
      Array.from({ length: 11 }, (_, index) => createDocument(MAX_DOCUMENT_BYTES, index)),
    );
    const pages = await pagesOf(listUrl);
    expect(pages.map(({ rows }) => rows.length)).toEqual([4, 4, 3]);
    for (const { bytes } of pages) expect(bytes).toBeLessThanOrEqual(MAX_PAGE_BYTES);
    const rows = pages.flatMap((page) => page.rows);
    expect(new Set(rows.map(({ id, version }) => id ?? version)).size).toBe(count);
    const texts = new Set(rows.map(({ content }) => content.text));
    expect(texts.size).toBe(count);
  });

  it('has at least one document, even if it is larger than a page', async () => {
    await createDocuments([
      createDocument(10, 0),
      createDocument(5 * MIB, 0),
      createDocument(5 * MIB, 1),
      { text: '' },
    ]);
    const pages = await pagesOf(listUrl);
    expect(pages.map(({ rows }) => rows.length)).toEqual([1, 1, 1, 1]);
  });

  it('has all requested rows without documents, or with small ones', async () => {
    await createDocuments(Array.from({ length: 8 }, (_, index) => createDocument(1_000, index)));
    for (const query of [listUrl, listUrl.replace('content=true', 'content=false')]) {
      expect((await ada.get<List>(query.replace('limit=100', 'limit=7'))).body.data).toHaveLength(
        7,
      );
    }
  });
});
