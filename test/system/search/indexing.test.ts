import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Database } from '#database';
import { observeSearchBacklog, SearchIndexer } from '#documents';
import { kinds, sendBatch, type Kind } from '../../support/api/batches.js';
import type { Client } from '../../support/api/client.js';
import { searchesOf } from '../../support/api/search.js';
import { restore } from '../../support/api/trash.js';
import { eventually } from '../../support/eventually.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';
import { itRaces } from '../../support/it-races.js';
import { itTimed } from '../../support/it-timed.js';

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
const followed = () => searches.followed();

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

  itTimed('are stored once for ten saves in five seconds, those of the last save', async () => {
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

  it('that are not stored yet are measured', async () => {
    const workspaceId = await newWorkspace();
    const id = await create(workspaceId, 'Waiting', 'words');
    await followed();
    const observe = () => observeSearchBacklog(galley.api.get(Database));
    expect(await observe()).toEqual({ documents: 0, oldestDueAgeSeconds: 0 });
    // The indexer skips a document that another transaction locks.
    const release = await galley.database.holdLock(
      `SELECT FROM documents WHERE id = $1 FOR UPDATE`,
      [id],
    );
    await galley.database.query(
      `INSERT INTO documents_to_index (document_id, workspace_id, version, due_at)
       VALUES ($1, $2, 1, now() - interval '5 seconds')`,
      [id, workspaceId],
    );
    const backlog = await observe();
    await release();
    expect(backlog.documents).toBe(1);
    expect(backlog.oldestDueAgeSeconds).toBeGreaterThanOrEqual(5);
    await followed();
  });

  /** Runs a step of an indexer that has read the document, and calls `act` before the step stores the words. */
  const stepWith = async (id: string, act: () => Promise<unknown>) => {
    const database = galley.api.get(Database);
    let hasActed = false as boolean;
    const query = async (...[text, values]: Parameters<Database['query']>) => {
      const isStep = text.includes('INSERT INTO document_words');
      if (!hasActed && isStep && (values?.[0] as string[]).includes(id)) {
        hasActed = true;
        await act();
      }
      return database.query(text, values);
    };
    const indexer = new SearchIndexer({ query } as Database);
    // Galley's own worker may be quicker.
    await eventually('a step with the document', async () => {
      await queue(id);
      await indexer.step();
      return hasActed;
    });
  };
  const queue = (id: string) =>
    galley.database.query(
      `INSERT INTO documents_to_index (document_id, workspace_id, version, due_at)
       SELECT id, workspace_id, version, now() FROM documents WHERE id = $1
       ON CONFLICT (document_id) DO UPDATE SET due_at = now()`,
      [id],
    );
  const isQueued = async (id: string) =>
    (await galley.database.count(`documents_to_index WHERE document_id = '${id}'`)) === 1;

  it('are stored again after a change that commits during the step', async () => {
    const workspaceId = await newWorkspace();
    const id = await create(workspaceId, 'Changed meanwhile', 'first');
    await stepWith(id, () => ada.put(`/api/templates/${id}`, { content: { text: 'second' } }));
    expect(await isQueued(id)).toBe(true);
    expect(await namesOf(workspaceId, 'second')).toEqual(['Changed meanwhile']);
  });

  it('are not stored while another transaction may delete the document', async () => {
    const id = await create(await newWorkspace(), 'Going', 'going');
    let release: (() => Promise<void>) | undefined;
    await stepWith(id, async () => {
      release = await galley.database.holdLock('SELECT FROM documents WHERE id = $1 FOR UPDATE', [
        id,
      ]);
      // Galley's own worker may have stored the words before.
      await queue(id);
    });
    expect(await isQueued(id)).toBe(true);
    await release?.();
    await followed();
  });

  itRaces('are those of the latest version, however changes and steps meet', async () => {
    const workspaceId = await newWorkspace();
    const ids = await Promise.all(
      Array.from({ length: 5 }, (_, number) => create(workspaceId, `Raced ${number}`, 'start')),
    );
    const indexer = new SearchIndexer(galley.api.get(Database));
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
    const indexer = new SearchIndexer(galley.api.get(Database));
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

  it('of one workspace do not wait for many changes of another', async () => {
    const [busy, quiet] = [await newWorkspace(), await newWorkspace()];
    await sendBatch(
      ada,
      kinds[0] as Kind,
      busy,
      Array.from({ length: 1_000 }, (_, at) => ({
        action: 'create',
        name: `Many ${at}`,
        content: {},
      })),
    );
    const id = await create(quiet, 'Single', 'single');
    await galley.database.query('UPDATE documents_to_index SET due_at = now()');
    const indexer = new SearchIndexer(galley.api.get(Database));
    await indexer.step();
    const countQueued = async (where: string) =>
      galley.database.count(`documents_to_index WHERE ${where}`);
    expect(await countQueued(`document_id = '${id}'`)).toBe(0);
    expect(await countQueued(`workspace_id = '${busy}'`)).toBeGreaterThan(500);
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
    await eventually('a slice', async () => (await slicesOf('slice IS NULL')) < 1_100);
  });

  it('the words of most documents are in the index', async () => {
    expect(await slicesOf('slice = 0')).toBeGreaterThanOrEqual(500);
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
    // Otherwise documents in the trash would fill the 250 that are ranked.
    expect(await slicesOf(`document_id = '${second}'`)).toBe(0);
  });
});
