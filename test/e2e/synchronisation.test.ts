import { afterAll, beforeEach, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import type { Client } from '../support/client.js';
import { eventually } from '../support/eventually.js';
import { startGalley, type Galley } from '../support/galley.js';
import { make } from '../support/resources.js';

interface Item {
  id: string;
  name: string;
  updatedAt: string;
}

interface List {
  data: Item[];
  nextCursor: string | null;
  syncCursor: string | null;
}

let galley: Galley;
let ada: Client;
let bob: Client;
let workspaceId: string;
/** A connection that is in a transaction of its own. */
let other: pg.Client;

beforeAll(async () => {
  galley = await startGalley();
  [ada, bob] = [await galley.as('ada'), await galley.as('bob')];
});
afterAll(() => galley.stop());

beforeEach(async () => {
  workspaceId = (await galley.workspaceOf('ada')).id;
  const { user } = (await bob.get<{ user: { id: string } }>('/api/auth/me')).body;
  await ada.post(`/api/workspaces/${workspaceId}/members`, { userId: user.id, role: 'editor' });
  other = new pg.Client({ connectionString: galley.database.url });
  await other.connect();
  await other.query('BEGIN');
});
afterEach(() => other.end());

/** What a client keeps that follows a list as docs/lists.md tells it to. */
class Copy {
  readonly items = new Map<string, Item>();
  /** Of all rounds. */
  readonly cost = { requests: 0, rows: 0 };
  private cursor: string | undefined;

  constructor(
    private readonly list: string,
    private readonly limit: number,
    private readonly sort = 'updatedAt',
  ) {}

  async follow(): Promise<void> {
    const query = `workspaceId=${workspaceId}&limit=${this.limit}&content=false&sort=${this.sort}`;
    for (let isLast = false; !isLast;) {
      const cursor = this.cursor === undefined ? '' : `&cursor=${this.cursor}`;
      const { body } = await bob.get<List>(`/api/${this.list}?${query}${cursor}`);
      for (const item of body.data) this.items.set(item.id, item);
      this.cost.requests++;
      this.cost.rows += body.data.length;
      this.cursor = body.syncCursor ?? undefined;
      isLast = body.nextCursor === null;
    }
  }

  /** What the next round costs. */
  async nextRound(): Promise<{ requests: number; rows: number }> {
    const { requests, rows } = this.cost;
    await this.follow();
    return { requests: this.cost.requests - requests, rows: this.cost.rows - rows };
  }

  /** The last milliseconds are not in the list yet. */
  followUntil(isComplete: () => boolean): Promise<true> {
    return eventually('the latest changes', () => this.follow().then(isComplete));
  }

  get names(): string[] {
    return Array.from(this.items.values(), ({ name }) => name).sort();
  }
}

const isBlocked = () =>
  galley.database.count(
    `pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
const create = (list: string, name: string, content = {}) =>
  make(ada, `/api/${list}`, { name, workspaceId, content });

interface Delay {
  what: string;
  list: 'templates' | 'modules';
  /** Stops Ada's change when it has taken its time and not committed. */
  lock: string;
  change: (id: string) => Promise<unknown>;
  /** A change that is not stopped. */
  meanwhile: (id: string) => Promise<{ status: number }>;
}

const LOCK_ADA = `SELECT FROM users WHERE subject = 'ada' FOR UPDATE`;
const SWIFT = { name: 'swift' };

const delays: Delay[] = [
  {
    ...{ what: 'the update of a template', list: 'templates', lock: LOCK_ADA },
    change: (id) => ada.put(`/api/templates/${id}`, { name: 'late' }),
    meanwhile: () => bob.post('/api/templates', { ...SWIFT, workspaceId }),
  },
  {
    ...{ what: 'the creation of a template', list: 'templates', lock: LOCK_ADA },
    change: () => create('templates', 'late'),
    meanwhile: (id) => bob.put(`/api/templates/${id}`, SWIFT),
  },
  {
    ...{ what: 'the update of a module', list: 'modules', lock: 'LOCK TABLE outbox IN SHARE MODE' },
    change: (id) => ada.put(`/api/modules/${id}`, { name: 'late' }),
    // It has no event.
    meanwhile: (id) => bob.post(`/api/modules/${id}/duplicate`, SWIFT),
  },
];

describe.each([1, 100])('whoever follows a list in pages of %i', (limit) => {
  it.each(delays)('misses nothing when $what commits late', async (delay) => {
    const { list, lock, change, meanwhile } = delay;
    const all = async () => {
      const { body } = await bob.get<List>(`/api/${list}?workspaceId=${workspaceId}`);
      return body.data.map(({ name }) => name).sort();
    };
    const [one, another] = [await create(list, 'one'), await create(list, 'another')];
    const copy = new Copy(list, limit);
    await copy.followUntil(() => copy.items.size === 2);

    await other.query(lock);
    const changed = change(one);
    await eventually('the change to be stopped', isBlocked);
    expect((await meanwhile(another)).status).toBeLessThan(300);
    expect(await all()).toContain('swift');
    expect(await all()).not.toContain('late');

    await copy.follow();
    await other.query('COMMIT');
    await changed;
    await copy.followUntil(() => copy.names.includes('swift'));
    expect(copy.names).toEqual(await all());
    expect(copy.names).toContain('late');
  });
});

it('whoever follows a list while many change it has it all in the end', async () => {
  const write = async (size: number) => {
    const content = { text: 'x'.repeat(size) };
    const id = await create('templates', `${size}`, content);
    for (let count = 1; count < 8; count++) {
      await create('templates', `${size} ${count}`, content);
      await ada.put(`/api/templates/${id}`, { name: `${size} again ${count}`, content });
    }
  };
  const copy = new Copy('templates', 3);
  // Large documents take a while between the time of their change and its commit.
  const writing = { isOver: false };
  const writers = Promise.all([300_000, 100_000, 1].map(write)).finally(
    () => (writing.isOver = true),
  );
  while (!writing.isOver) await copy.follow();
  await writers;
  const path = `/api/templates?workspaceId=${workspaceId}&limit=100&content=false`;
  const { data } = (await bob.get<List>(path)).body;
  const [latest] = data;
  await copy.followUntil(() => copy.items.get(latest?.id ?? '')?.updatedAt === latest?.updatedAt);
  expect(Object.fromEntries(copy.items)).toEqual(
    Object.fromEntries(data.map((item) => [item.id, item])),
  );
});

it('is not held back by a transaction that changes something else', async () => {
  await other.query(`UPDATE workspaces SET name = 'Renamed' WHERE id = $1`, [workspaceId]);
  await create('templates', 'swift');
  const copy = new Copy('templates', 100);
  await copy.followUntil(() => copy.names.includes('swift'));
  await other.query('ROLLBACK');
});

it('is held back by no lock but those of changes', async () => {
  const id = await make(ada, '/api/templates', { name: 'A', workspaceId });
  // The same number as that of a change in 1970, as the key of anything else may have.
  await other.query('SELECT pg_advisory_xact_lock((1763683::bigint << 42) | 1)');
  const list = `/api/templates?workspaceId=${workspaceId}&sort=createdAt`;
  await eventually('it to be in the list', async () => {
    const { body } = await ada.get<List>(list);
    return body.data.some((item) => item.id === id);
  });
});

describe.each(['templates', 'modules'])('following %s after a batch', (list) => {
  const SIZE = 1_000;
  const writeBatch = async (operations: object[]) => {
    const { status, text } = await ada.post(`/api/${list}/batch`, { workspaceId, operations });
    expect([status, status === 200 ? '' : text]).toEqual([200, '']);
  };
  const creations = (name: string) =>
    Array.from({ length: SIZE }, (_, at) => ({
      action: 'create',
      name: `${name} ${at}`,
      content: {},
    }));

  it.each(['updatedAt', 'createdAt'])('costs one request without rows by %s', async (sort) => {
    const copy = new Copy(list, 100, sort);
    expect(await copy.nextRound()).toEqual({ requests: 1, rows: 0 });
    await writeBatch(creations('A'));
    await copy.followUntil(() => copy.items.size === SIZE);
    expect(copy.cost.rows).toBe(SIZE);
    // They share a time, which is what made a poll from that time read all of them again.
    expect(new Set(Array.from(copy.items.values(), ({ updatedAt }) => updatedAt)).size).toBe(1);
    for (const poll of [1, 2, 3]) {
      expect([poll, await copy.nextRound()]).toEqual([poll, { requests: 1, rows: 0 }]);
    }
    await create(list, 'later');
    await copy.followUntil(() => copy.names.includes('later'));
    expect(copy.cost.rows).toBe(SIZE + 1);
  });

  it('finds all that several writers change meanwhile, and nothing twice without need', async () => {
    const copy = new Copy(list, 37);
    await writeBatch(creations('A'));
    await copy.followUntil(() => copy.items.size === SIZE);
    const ids = [...copy.items.keys()];
    const rename = (client: Client, from: number) =>
      client.post(`/api/${list}/batch`, {
        workspaceId,
        operations: ids
          .slice(from, from + 250)
          .map((id) => ({ action: 'update', id, name: `renamed ${id}` })),
      });
    const writing = { isOver: false };
    const writers = Promise.all([
      rename(ada, 0).then(() => rename(ada, 500)),
      rename(bob, 250).then(() => rename(bob, 750)),
      writeBatch(creations('B')),
      create(list, 'one more'),
    ]).finally(() => (writing.isOver = true));
    while (!writing.isOver) await copy.follow();
    await writers;
    const isRenamed = (id: string) => copy.items.get(id)?.name === `renamed ${id}`;
    await copy.followUntil(() => copy.items.size === 2 * SIZE + 1 && ids.every(isRenamed));
    expect(copy.cost.rows).toBe(3 * SIZE + 1);
    expect(await copy.nextRound()).toEqual({ requests: 1, rows: 0 });
  });
});

it('a syncCursor belongs to its list, and is none where a list does not go forward in time', async () => {
  const path = `/api/templates?workspaceId=${workspaceId}`;
  for (const sort of ['-updatedAt', '-createdAt', 'name', '-name']) {
    const { body } = await bob.get<List>(`${path}&sort=${sort}`);
    expect([sort, body.syncCursor]).toEqual([sort, null]);
  }
  const { syncCursor } = (await bob.get<List>(`${path}&sort=updatedAt`)).body;
  const { status } = await bob.get(`${path}&sort=createdAt&cursor=${syncCursor}`);
  expect(status).toBe(400);
});
