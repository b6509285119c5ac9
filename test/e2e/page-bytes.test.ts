import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Client } from '../support/client.js';
import { startGalley, type Galley } from '../support/galley.js';
import { make } from '../support/resources.js';

const MIB = 1024 * 1024;
const PAGE = 4 * MIB;
// As large as a body may be, but for the rest of it.
const LARGEST = MIB - 1024;

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
  ada = await galley.as('ada');
});
afterAll(() => galley.stop());

/** One that PostgreSQL cannot compress, or one that takes almost no room there. */
const documentOf = (bytes: number, at: number) => ({
  text:
    at % 2 === 0
      ? randomBytes(bytes).toString('base64').slice(0, bytes)
      : String.fromCharCode(97 + at).repeat(bytes),
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
  let url: string;
  const put = async (contents: object[]) => {
    workspaceId = (await galley.workspaceOf('ada')).id;
    let template = '';
    for (const [at, content] of contents.entries()) {
      if (list === 'versions' && template !== '') {
        await ada.put(`${path}/${template}`, { content });
      } else template = await make(ada, path, { name: `Name ${at}`, workspaceId, content });
    }
    url =
      list === 'versions'
        ? `${path}/${template}/versions?content=true&limit=100`
        : `${path}?workspaceId=${workspaceId}&limit=100${sort && `&sort=${sort}`}`;
    return contents.length;
  };

  it('ends before its documents are larger than it may be, and the next one goes on', async () => {
    const count = await put(Array.from({ length: 11 }, (_, at) => documentOf(LARGEST, at)));
    const pages = await pagesOf(url);
    expect(pages.map(({ rows }) => rows.length)).toEqual([4, 4, 3]);
    for (const { bytes } of pages) expect(bytes).toBeLessThanOrEqual(PAGE);
    const rows = pages.flatMap((page) => page.rows);
    expect(new Set(rows.map(({ id, version }) => id ?? version)).size).toBe(count);
    const texts = new Set(rows.map(({ content }) => content.text));
    expect(texts.size).toBe(count);
  });

  it('has a document in it even if that is larger than a page', async () => {
    await put([documentOf(10, 0), documentOf(5 * MIB, 0), documentOf(5 * MIB, 1), { text: '' }]);
    const pages = await pagesOf(url);
    expect(pages.map(({ rows }) => rows.length)).toEqual([1, 1, 1, 1]);
  });

  it('has as many rows as are asked for without the documents, or with small ones', async () => {
    await put(Array.from({ length: 8 }, (_, at) => documentOf(1_000, at)));
    for (const query of [url, url.replace('content=true', 'content=false')]) {
      expect((await ada.get<List>(query.replace('limit=100', 'limit=7'))).body.data).toHaveLength(
        7,
      );
    }
  });
});

it('documents of before their sizes were kept are measured as they are read', async () => {
  workspaceId = (await galley.workspaceOf('ada')).id;
  for (const at of [0, 1, 2, 3, 4]) {
    const content = documentOf(LARGEST, at);
    await make(ada, '/api/modules', { name: 'A', workspaceId, content });
  }
  await galley.database.query(
    `WITH reason AS (SELECT set_config('galley.no_event', 'not under test', true))
     UPDATE modules SET content_bytes = NULL FROM reason WHERE workspace_id = $1`,
    [workspaceId],
  );
  const pages = await pagesOf(`/api/modules?workspaceId=${workspaceId}&limit=100`);
  expect(pages.map(({ rows }) => rows.length)).toEqual([4, 1]);
});
