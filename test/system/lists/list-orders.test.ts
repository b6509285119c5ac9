import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Sort } from '#documents';
import fc from 'fast-check';
import { openApi } from '../../support/api/openapi.js';
import type { Client } from '../../support/api/client.js';
import { eventually } from '../../support/eventually.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';

const RUNS = 20;

interface Item {
  id: string;
  name: string;
  createdAt: string;
  updatedAt: string;
}

interface List {
  data: Item[];
  nextCursor: string | null;
}

/** A change that is made between two pages. `nth` chooses the row that it changes. */
type Change =
  | { kind: 'create'; name: string }
  | { kind: 'rename'; nth: number; name: string }
  | { kind: 'change' | 'delete'; nth: number };

const SORTS = openApi.components.schemas['Sort']?.enum as Sort[];

// A database of its own: the low watermark waits for the transactions of the whole database.
let galley: Galley;
let ada: Client;
let changeCount = 0;

beforeAll(async () => {
  galley = await startGalley();
  ada = await galley.clientFor('ada');
});
afterAll(() => galley.stop());

const fieldOf = (sort: Sort) => sort.replace('-', '') as 'updatedAt' | 'createdAt' | 'name';
const sortKeyOf = (item: Item, sort: Sort) =>
  Buffer.from(sort.endsWith('name') ? item.name.toLowerCase() : item[fieldOf(sort)]);

function comparatorFor(sort: Sort): (one: Item, other: Item) => number {
  const sign = sort.startsWith('-') ? -1 : 1;
  return (one, other) =>
    sign *
    (Buffer.compare(sortKeyOf(one, sort), sortKeyOf(other, sort)) ||
      Buffer.compare(Buffer.from(one.id), Buffer.from(other.id)));
}

/** Waits until PostgreSQL's clock, truncated to milliseconds, is later than `since`. */
const waitForNextMillisecond = (since: string) =>
  eventually('the next millisecond', async () => {
    const [row] = await galley.database.query<{ hasPassed: boolean }>(
      `SELECT date_trunc('milliseconds', clock_timestamp()) > $1 AS "hasPassed"`,
      [since],
    );
    return row?.hasPassed;
  });

/** The contents of the workspace, according to the responses of the API. */
class WorkspaceModel {
  readonly items = new Map<string, Item>();

  constructor(
    private readonly list: string,
    readonly workspaceId: string,
  ) {}

  get latestUpdatedAt(): string {
    return (
      Array.from(this.items.values(), ({ updatedAt }) => updatedAt)
        .sort()
        .at(-1) ?? ''
    );
  }

  async apply(step: Change): Promise<void> {
    const path = `/api/${this.list}`;
    if (step.kind === 'create') {
      const { workspaceId } = this;
      this.store(await ada.post(path, { name: step.name, workspaceId, content: {} }));
      return;
    }
    const item = [...this.items.values()][step.nth % this.items.size];
    if (item === undefined) return;
    if (step.kind === 'delete') {
      await ada.delete(`${path}/${item.id}`);
      this.items.delete(item.id);
    } else {
      const change =
        step.kind === 'rename' ? { name: step.name } : { content: { change: ++changeCount } };
      this.store(await ada.put(`${path}/${item.id}`, change));
    }
  }

  private store({ body }: { body: Item }): void {
    this.items.set(body.id, body);
  }
}

// Upper and lower case, characters that locales ignore or reorder, and two letters that UTF-16 and UTF-8
// order differently.
const name = fc.constantFrom('a', 'A', 'b', 'B', 'a b', 'ab', '_', 'Z', '-a', '😀', 'ﬁ');
const nth = fc.nat(20);
const step: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ kind: fc.constant('create' as const), name }),
  fc.record({ kind: fc.constant('rename' as const), nth, name }),
  fc.record({ kind: fc.constantFrom('change' as const, 'delete' as const), nth }),
);
const walk = fc.record({
  sort: fc.constantFrom(...SORTS),
  limit: fc.integer({ min: 1, max: 4 }),
  names: fc.array(name, { maxLength: 10 }),
  between: fc.array(fc.array(step, { maxLength: 4 }), { maxLength: 6 }),
  /** Chooses the row whose `updatedAt` becomes `updatedSince`. The list leaves out earlier rows. */
  since: fc.option(nth, { freq: 3 }),
});

describe.each(['templates', 'modules'])('the pages of %s', (list) => {
  it('are in order, whatever changes between them', async () => {
    await fc.assert(
      fc.asyncProperty(walk, async ({ sort, limit, names, between, since }) => {
        const model = new WorkspaceModel(list, (await galley.createWorkspaceFor('ada')).id);
        for (const each of names) await model.apply({ kind: 'create', name: each });
        const first = [...model.items.values()];
        const updatedSince = since === null ? undefined : first[since % first.length]?.updatedAt;
        const path = `/api/${list}?workspaceId=${model.workspaceId}&sort=${sort}&limit=${limit}${
          updatedSince === undefined ? '' : `&updatedSince=${updatedSince}`
        }`;
        const compare = comparatorFor(sort);
        /** The rows that existed all the time and kept their names. */
        const constantNames = new Map(first.map((item) => [item.id, item.name]));
        const seen: Item[] = [];
        let cursor = '';
        for (let page = 0; ; page++) {
          if (model.latestUpdatedAt) await waitForNextMillisecond(model.latestUpdatedAt);
          const { body } = await ada.get<List>(path + cursor);
          const last = seen.at(-1);
          const remaining = [...model.items.values()]
            .filter((item) => updatedSince === undefined || item.updatedAt >= updatedSince)
            .filter((item) => last === undefined || compare(item, last) > 0)
            .sort(compare);
          expect(body.data).toEqual(remaining.slice(0, limit));
          expect(body.nextCursor === null).toBe(remaining.length <= limit);
          seen.push(...body.data);
          if (body.nextCursor === null) break;
          cursor = `&cursor=${body.nextCursor}`;
          for (const each of between[page] ?? []) await model.apply(each);
          for (const [id, initialName] of constantNames) {
            if (model.items.get(id)?.name !== initialName) constantNames.delete(id);
          }
        }
        if (updatedSince !== undefined) return;
        const ids = seen.map(({ id }) => id);
        if (fieldOf(sort) !== 'updatedAt') {
          const occurrences = [...constantNames.keys()].map(
            (id) => ids.filter((each) => each === id).length,
          );
          expect(new Set(occurrences)).toEqual(new Set(occurrences.length > 0 ? [1] : []));
        } else if (sort === 'updatedAt') {
          const latestById = new Map(seen.map((item) => [item.id, item]));
          expect([...model.items.values()].filter(({ id }) => !latestById.has(id))).toEqual([]);
          for (const item of model.items.values()) expect(latestById.get(item.id)).toEqual(item);
        }
      }),
      { numRuns: RUNS },
    );
  });

  it.each(SORTS)('with equal values are in the order of the ids with %s', async (sort) => {
    const { id: workspaceId } = await galley.createWorkspaceFor('ada');
    // The documents of a batch have equal times.
    const operations = ['a', 'A', 'a', 'A', 'a'].map((name) => ({
      action: 'create',
      name,
      content: {},
    }));
    await ada.post(`/api/${list}/batch`, { workspaceId, operations });
    const path = `/api/${list}?workspaceId=${workspaceId}&limit=2&sort=${sort}`;
    await eventually('the watermark to pass', async () => {
      const { body } = await ada.get<List>(path.replace('limit=2', 'limit=100'));
      return body.data.length === operations.length;
    });
    const ids: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body }: { body: List } = await ada.get<List>(path + cursor);
      ids.push(...body.data.map(({ id }) => id));
      cursor = body.nextCursor && `&cursor=${body.nextCursor}`;
    }
    expect(new Set(ids).size).toBe(operations.length);
    const ascending = [...ids].sort();
    expect(ids).toEqual(sort.startsWith('-') ? ascending.reverse() : ascending);
  });
});
