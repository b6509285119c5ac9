import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Database } from '#database';
import { SearchIndexer } from '#documents';
import { MODULE } from '#modules';
import { TEMPLATE } from '#templates';
import fc from 'fast-check';
import { kinds, sendBatch, type Kind } from '../../support/api/batches.js';
import type { Client } from '../../support/api/client.js';
import { eventually } from '../../support/eventually.js';
import { restore } from '../../support/api/trash.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';
import { createResource } from '../../support/galley/resources.js';
import { itRaces } from '../../support/it-races.js';

interface Part {
  text: string;
  isMatch: boolean;
}
interface Result {
  id: string;
  kind: string;
  name: string;
  highlights: { name: Part[]; text: Part[][] };
}
interface Page {
  data: Result[];
  nextCursor: string | null;
}

let galley: Galley;
let ada: Client;

beforeAll(async () => {
  galley = await startGalley();
  ada = await galley.clientFor('ada');
});
afterAll(() => galley.stop());

async function indexAll({ api }: Galley): Promise<void> {
  const indexer = new SearchIndexer(api.get(Database), [TEMPLATE, MODULE]);
  while (await indexer.step());
}

const newWorkspace = async () => (await galley.createWorkspaceFor('ada')).id;
const create = (workspaceId: string, name: string, text = '', kind = 'template') =>
  createResource(ada, `/api/${kind}s`, { name, workspaceId, content: { text } });
const search = async (workspaceId: string, query: string, parameters = '') => {
  const url = `/api/search?workspaceId=${workspaceId}&query=${encodeURIComponent(query)}`;
  const { status, body, text } = await ada.get<Page>(url + parameters);
  expect([text, status]).toEqual([text, 200]);
  return body;
};
const namesOf = async (workspaceId: string, query: string, parameters = '') =>
  (await search(workspaceId, query, parameters)).data.map(({ name }) => name);
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
    await fc.assert(
      fc.asyncProperty(anyText, anyText, async (text, query) => {
        const storable = (value: string) => value.toWellFormed().replaceAll('\0', '');
        await create(workspaceId, `x${storable(text)}`, storable(text));
        await search(workspaceId, storable(query));
      }),
      { numRuns: 60 },
    );
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
      await galley.database.query('SELECT FROM document_search WHERE document_id = $1', [id]),
    ).toHaveLength(0);
  });

  it('is found after an upgrade from a release without the search', async () => {
    const workspaceId = await newWorkspace();
    const ids = [];
    for (let index = 0; index < 3; index++) {
      ids.push(await create(workspaceId, `Old ${index}`, 'x'.repeat(900_000) + ' durian', kind));
    }
    // As a service of the release before leaves them: not stored, and stored for an earlier version.
    await galley.database.query('DELETE FROM document_search WHERE document_id = $1', [ids[0]]);
    await galley.database.query(
      `UPDATE document_search SET version = 0, text = '', lexemes = '' WHERE document_id = $1`,
      [ids[1]],
    );
    expect(await namesOf(workspaceId, 'old')).toEqual(['Old 2']);
    await indexAll(galley);
    expect(await namesOf(workspaceId, 'old')).toEqual(['Old 2', 'Old 1', 'Old 0']);
  });

  itRaces('is not replaced with an earlier text if the document changes meanwhile', async () => {
    const id = await create(await newWorkspace(), 'Changing', 'before', kind);
    const { database } = galley;
    await database.query('UPDATE document_search SET version = 0 WHERE document_id = $1', [id]);
    const commit = await database.holdLock(
      `WITH reason AS (SELECT set_config('galley.no_event', 'not under test', true)),
         changed AS (UPDATE ${kind}s SET version = version + 1 FROM reason WHERE id = $1)
       UPDATE document_search SET version = 2, text = 'after' WHERE document_id = $1`,
      [id],
    );
    const indexing = indexAll(galley);
    await eventually('the indexer to wait', async () => {
      const waiters = `pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
      return (await database.count(waiters)) === 1;
    });
    await commit();
    await indexing;
    const rows = await database.query('SELECT text FROM document_search WHERE document_id = $1', [
      id,
    ]);
    expect(rows).toEqual([{ text: 'after' }]);
  });
});
