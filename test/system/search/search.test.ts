import { setTimeout as delay } from 'node:timers/promises';
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
  galley = await startGalley({ worker: true });
  ada = await galley.clientFor('ada');
});
afterAll(() => galley.stop());

/** Waits until the worker has stored the words of all documents. */
const followed = () =>
  eventually('the search to follow', async () => {
    return (await galley.database.count('documents_to_index')) === 0;
  });

const newWorkspace = async () => (await galley.createWorkspaceFor('ada')).id;
const create = (workspaceId: string, name: string, text = '', kind = 'template') =>
  createResource(ada, `/api/${kind}s`, { name, workspaceId, content: { text } });
const search = async (workspaceId: string, query: string, parameters = '') => {
  await followed();
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

describe('the words of a document', () => {
  /** Counts how often the words of each document are stored. */
  beforeAll(() =>
    galley.database.query(`
      CREATE TABLE stored_words (document_id uuid);
      CREATE FUNCTION count_stored_words() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO stored_words VALUES (NEW.document_id);
        RETURN NEW;
      END $$;
      CREATE TRIGGER count_stored_words AFTER INSERT OR UPDATE OF words ON document_words
        FOR EACH ROW EXECUTE FUNCTION count_stored_words()`),
  );
  const timesStored = async (id: string) => {
    await followed();
    return galley.database.count(`stored_words WHERE document_id = '${id}'`);
  };

  it('are stored once for ten saves in five seconds, those of the last save', async () => {
    const workspaceId = await newWorkspace();
    const id = await create(workspaceId, 'Saved often', 'word0');
    for (let save = 1; save < 10; save++) {
      await delay(500);
      await ada.put(`/api/templates/${id}`, { content: { text: `word${save}` } });
    }
    expect(await timesStored(id)).toBe(1);
    expect(await namesOf(workspaceId, 'word9')).toEqual(['Saved often']);
    expect(await namesOf(workspaceId, 'word8')).toEqual([]);
  });

  it('are not stored again if only something else has changed', async () => {
    const id = await create(await newWorkspace(), 'Coloured', 'same');
    expect(await timesStored(id)).toBe(1);
    await ada.put(`/api/templates/${id}`, { content: { text: 'same', color: '#fff' } });
    await ada.put(`/api/templates/${id}`, { tags: ['sale'] });
    expect(await timesStored(id)).toBe(1);
  });

  it('are stored at the latest ten seconds after a change, however often the document changes', async () => {
    const id = await create(await newWorkspace(), 'Changing', 'first');
    await galley.database.query(
      `UPDATE documents_to_index SET queued_at = now() - interval '9.9 s', due_at = now() + interval '1 h'
       WHERE document_id = $1`,
      [id],
    );
    await ada.put(`/api/templates/${id}`, { content: { text: 'second' } });
    const [queued] = await galley.database.query<{ waits: number }>(
      `SELECT extract(epoch FROM due_at - now())::float8 AS waits FROM documents_to_index WHERE document_id = $1`,
      [id],
    );
    expect(queued?.waits ?? 0).toBeLessThan(0.2);
  });

  itRaces('are those of the latest version, however changes and steps meet', async () => {
    const workspaceId = await newWorkspace();
    const ids = await Promise.all(
      Array.from({ length: 5 }, (_, number) => create(workspaceId, `Raced ${number}`, 'start')),
    );
    const indexer = new SearchIndexer(galley.api.get(Database), [TEMPLATE, MODULE]);
    let isSaving = true;
    const indexing = [1, 2].map(async () => {
      while (isSaving) {
        await galley.database.query('UPDATE documents_to_index SET due_at = now()');
        await indexer.step();
      }
    });
    await Promise.all(
      ids.map(async (id) => {
        for (let save = 1; save <= 40; save++) {
          await ada.put(`/api/templates/${id}`, { content: { text: `save${save}` } });
        }
      }),
    );
    isSaving = false;
    await Promise.all(indexing);
    expect((await search(workspaceId, 'save40')).data).toHaveLength(ids.length);
  });

  itRaces('are gone with their document, however deletions and steps meet', async () => {
    const workspaceId = await newWorkspace();
    const indexer = new SearchIndexer(galley.api.get(Database), [TEMPLATE, MODULE]);
    for (let round = 0; round < 20; round++) {
      const id = await create(workspaceId, `Short ${round}`, 'short');
      await galley.database.query('UPDATE documents_to_index SET due_at = now()');
      await Promise.all([indexer.step(), ada.delete(`/api/templates/${id}`)]);
      await ada.delete(`/api/trash/${id}`);
    }
    await followed();
    expect(
      await galley.database.count(`document_words WHERE workspace_id = '${workspaceId}'`),
    ).toBe(0);
  });

  it('follow a document that was restored before its words were stored', async () => {
    const workspaceId = await newWorkspace();
    const id = await create(workspaceId, 'Hasty', 'early');
    await followed();
    await ada.put(`/api/templates/${id}`, { content: { text: 'late' } });
    await ada.delete(`/api/templates/${id}`);
    await followed();
    await restore(ada, id);
    expect(await namesOf(workspaceId, 'late')).toEqual(['Hasty']);
    expect(await namesOf(workspaceId, 'early')).toEqual([]);
  });
});

describe('in a large workspace', () => {
  const COUNT = 1_600;
  let workspaceId: string;
  let ids: string[];
  const slicesOf = async (where: string) =>
    galley.database.count(`document_words WHERE workspace_id = '${workspaceId}' AND ${where}`);

  beforeAll(async () => {
    workspaceId = await newWorkspace();
    ids = [];
    for (let start = 0; start < COUNT; start += 400) {
      const { body } = await sendBatch(
        ada,
        kinds[0] as Kind,
        workspaceId,
        Array.from({ length: 400 }, (_, at) => ({
          action: 'create',
          name: `Item ${start + at}`,
          content: { text: `number n${start + at} ${(start + at) % 100 === 0 ? 'hundred' : ''}` },
        })),
      );
      ids.push(
        ...(body.data as unknown as { template: { id: string } }[]).map(
          ({ template }) => template.id,
        ),
      );
    }
    await followed();
  });

  it('the words of most documents are in the index', async () => {
    expect(await slicesOf('slice = 0')).toBeGreaterThanOrEqual(500);
    expect(await slicesOf('slice IS NULL')).toBeLessThan(1_100);
  });

  it.each([
    ['n3', 111],
    ['n3 number', 1],
    ['number n3', 111],
    ['hundred', 16],
    ['item hundred', 16],
    ['xylophone', 0],
  ])('a search for %j finds %d documents', async (query, count) => {
    const first = await search(workspaceId, query, '&limit=100');
    const second = first.nextCursor
      ? await search(workspaceId, query, `&limit=100&cursor=${first.nextCursor}`)
      : { data: [] };
    expect(first.data.length + second.data.length).toBe(count);
  });

  it('a document that changes or is deleted leaves its slice', async () => {
    const [first = '', second = ''] = ids;
    const hundred = async () => (await namesOf(workspaceId, 'hundred')).length;
    expect(await slicesOf(`slice = 0 AND document_id IN ('${first}', '${second}')`)).toBe(2);
    await ada.put(`/api/templates/${first}`, { content: { text: 'changed' } });
    expect(await hundred()).toBe(15);
    expect(await namesOf(workspaceId, 'changed')).toEqual(['Item 0']);
    await ada.put(`/api/templates/${second}`, { content: { text: 'hundred' } });
    expect(await hundred()).toBe(16);
    await ada.delete(`/api/templates/${second}`);
    expect(await hundred()).toBe(15);
  });
});
