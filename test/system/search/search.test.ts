import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { kinds, sendBatch, type Kind } from '../../support/api/batches.js';
import type { Client } from '../../support/api/client.js';
import { searchesOf, type Part } from '../../support/api/search.js';
import { restore } from '../../support/api/trash.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';

let galley: Galley;
let ada: Client;
let searches: ReturnType<typeof searchesOf>;

beforeAll(async () => {
  galley = await startGalley({ worker: true });
  ada = await galley.clientFor('ada');
  searches = searchesOf(galley, ada);
});
afterAll(() => galley.stop());

const newWorkspace = async () => (await galley.createWorkspaceFor('ada')).id;
const create: typeof searches.create = (...document) => searches.create(...document);
const search: typeof searches.search = (...request) => searches.search(...request);
const namesOf: typeof searches.namesOf = (...request) => searches.namesOf(...request);
const marked = (parts: Part[]) =>
  parts.map(({ text, isMatch }) => (isMatch ? `[${text}]` : text)).join('');

const anyText = fc.string({ unit: 'binary' });

describe('a search', () => {
  let workspaceId: string;

  beforeAll(async () => {
    workspaceId = await newWorkspace();
    await create(workspaceId, 'Spring sale', 'Fresh bread and warm soup');
    await create(workspaceId, 'Welcome aboard', 'A letter for new guests. Unsubscribe here.');
    await create(workspaceId, 'The letter of the month', 'Welcome back!');
    await create(workspaceId, 'Grüße aus Füssen', 'Café crème, naïve');
    await create(workspaceId, '東京都のお知らせ', 'ようこそ');
    await create(workspaceId, 'Footer', 'You can unsubscribe at any time. Welcome!', 'module');
  });

  it.each([
    ['sale', ['Spring sale']],
    ['SPRING', ['Spring sale']],
    ['spr', ['Spring sale']],
    ['warm bread', ['Spring sale']],
    ['warm letter', []],
    // A name that begins with the query, then names, then texts, each with the latest change first.
    ['welcome', ['Welcome aboard', 'Footer', 'The letter of the month']],
    ['letter', ['The letter of the month', 'Welcome aboard']],
    ['the letter', ['The letter of the month']],
    ['month welcome', ['The letter of the month']],
    ['unsubscribe', ['Footer', 'Welcome aboard']],
    ['grusse', ['Grüße aus Füssen']],
    ['CAFE creme', ['Grüße aus Füssen']],
    ['東京', ['東京都のお知らせ']],
    ['京都', ['東京都のお知らせ']],
    ['東', ['東京都のお知らせ']],
    ['ようこそ', ['東京都のお知らせ']],
    // Misspelled, and within a word.
    ['welcmoe', ['Welcome aboard']],
    ['sprung', ['Spring sale']],
    ['ooter', ['Footer']],
    ['xyzzy', []],
    ['?!', []],
    ['', []],
  ])('for %j finds %j', async (query, names) => {
    expect(await namesOf(workspaceId, query)).toEqual(names);
  });

  it('can be limited to a kind', async () => {
    expect(await namesOf(workspaceId, 'welcome', '&kind=module')).toEqual(['Footer']);
    expect(await namesOf(workspaceId, 'unsubscribe', '&kind=template')).toEqual(['Welcome aboard']);
    expect(await namesOf(workspaceId, 'welcmoe', '&kind=module')).toEqual([]);
  });

  it('is paged', async () => {
    const first = await search(workspaceId, 'welcome', '&limit=2');
    expect(first.data.map(({ name }) => name)).toEqual(['Welcome aboard', 'Footer']);
    const second = await search(workspaceId, 'welcome', `&limit=2&cursor=${first.nextCursor}`);
    expect(second.data.map(({ name }) => name)).toEqual(['The letter of the month']);
    expect(second.nextCursor).toBeNull();
  });

  it('highlights what matches', async () => {
    const { data } = await search(workspaceId, 'new lett');
    expect(data.map(({ highlights }) => marked(highlights.name))).toEqual(['Welcome aboard']);
    expect(data[0]?.highlights.text.map(marked)).toEqual([
      'A [letter] for [new] guests. Unsubscribe here.',
    ]);
    const long = await newWorkspace();
    const filler = 'Lorem ipsum dolor sit amet, '.repeat(20);
    await create(
      long,
      'Long',
      `${filler}<b>bread</b> &amp; soup ${filler} more bread ${filler} bread`,
    );
    const [found] = (await search(long, 'bread')).data;
    expect(found?.highlights.text).toHaveLength(2);
    for (const fragment of found?.highlights.text ?? []) {
      expect(marked(fragment)).toContain('[bread]');
      expect(marked(fragment).length).toBeLessThan(200);
    }
    expect(marked(found?.highlights.text[0] ?? [])).toContain('[bread] & soup');
  });

  it('finds nothing in other workspaces, and nothing without access', async () => {
    expect(await namesOf(await newWorkspace(), 'welcome')).toEqual([]);
    const eve = await galley.clientFor('eve');
    const { status } = await eve.get(`/api/search?workspaceId=${workspaceId}&query=welcome`);
    expect(status).toBe(403);
  });

  it('works for every text and every query', async () => {
    const queries: string[] = [];
    await fc.assert(
      fc.asyncProperty(anyText, anyText, async (text, query) => {
        const storable = (value: string) => value.toWellFormed().replaceAll('\0', '');
        await create(workspaceId, `x${storable(text)}`, storable(text));
        queries.push(storable(query));
      }),
      { numRuns: 60 },
    );
    for (const query of queries) await search(workspaceId, query);
  });
});

describe.each(kinds)('a $name in a search', (documentKind: Kind) => {
  const { name: kind, path } = documentKind;

  it('has the text of its current version', async () => {
    const workspaceId = await newWorkspace();
    const id = await create(workspaceId, 'First', 'apple', kind);
    const found = async () =>
      Promise.all(
        ['first', 'second', 'apple', 'banana'].map(async (query) => {
          const results = await search(workspaceId, query);
          return results.data.some((result) => result.id === id);
        }),
      );
    expect(await found()).toEqual([true, false, true, false]);
    await ada.put(`${path}/${id}`, { name: 'Second' });
    expect(await found()).toEqual([false, true, true, false]);
    await ada.put(`${path}/${id}`, { content: { text: 'banana' } });
    expect(await found()).toEqual([false, true, false, true]);
    await ada.post(`${path}/${id}/versions/1/restore`);
    expect(await found()).toEqual([true, false, true, false]);
    await sendBatch(ada, documentKind, workspaceId, [{ action: 'update', id, name: 'Second' }]);
    expect(await found()).toEqual([false, true, true, false]);
    await ada.delete(`${path}/${id}`);
    expect(await found()).toEqual([false, false, false, false]);
    await restore(ada, id);
    expect(await found()).toEqual([false, true, true, false]);
  });

  it('is found after a batch and a duplication, and gone after a purge', async () => {
    const workspaceId = await newWorkspace();
    const { body } = await sendBatch(ada, documentKind, workspaceId, [
      { action: 'create', name: 'Batched', content: { text: 'cherry' } },
    ]);
    const [result] = body.data as unknown as Record<string, { id: string }>[];
    const id = result?.[kind]?.id ?? '';
    expect(await namesOf(workspaceId, 'cherry')).toEqual(['Batched']);
    await ada.post(`${path}/${id}/duplicate`);
    expect(await namesOf(workspaceId, 'cherry')).toEqual(['Batched (copy)', 'Batched']);
    expect(await namesOf(workspaceId, 'batched copy')).toEqual(['Batched (copy)']);
    await ada.delete(`${path}/${id}`);
    await ada.delete(`/api/trash/${id}`);
    expect(
      await galley.database.query('SELECT FROM document_words WHERE document_id = $1', [id]),
    ).toHaveLength(0);
  });
});
