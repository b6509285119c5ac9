import { afterAll, beforeEach, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import type { Client } from '../../support/api/client.js';
import { eventually } from '../../support/eventually.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';
import { createResource } from '../../support/galley/resources.js';
import { itRaces } from '../../support/it-races.js';

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
/** A connection with an open transaction. */
let otherTransaction: pg.Client;

beforeAll(async () => {
  galley = await startGalley();
  [ada, bob] = [await galley.clientFor('ada'), await galley.clientFor('bob')];
});
afterAll(() => galley.stop());

beforeEach(async () => {
  workspaceId = (await galley.createWorkspaceFor('ada')).id;
  const { user } = (await bob.get<{ user: { id: string } }>('/api/auth/me')).body;
  await ada.post(`/api/workspaces/${workspaceId}/members`, { userId: user.id, role: 'editor' });
  otherTransaction = new pg.Client({ connectionString: galley.database.url });
  await otherTransaction.connect();
  await otherTransaction.query('BEGIN');
});
afterEach(() => otherTransaction.end());

/** The state of a client that follows a list as docs/use/lists.md describes. */
class ListFollower {
  readonly items = new Map<string, Item>();
  /** The requests and rows of all rounds so far. */
  readonly totals = { requests: 0, rows: 0 };
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
      this.totals.requests++;
      this.totals.rows += body.data.length;
      this.cursor = body.syncCursor ?? undefined;
      isLast = body.nextCursor === null;
    }
  }

  /** The requests and rows that the next round takes. */
  async costOfNextRound(): Promise<{ requests: number; rows: number }> {
    const { requests, rows } = this.totals;
    await this.follow();
    return { requests: this.totals.requests - requests, rows: this.totals.rows - rows };
  }

  /** Follows the list until it is complete: the changes of the last milliseconds are not in the list yet. */
  followUntil(isComplete: () => boolean): Promise<true> {
    return eventually('the latest changes', () => this.follow().then(isComplete));
  }

  get names(): string[] {
    return Array.from(this.items.values(), ({ name }) => name).sort();
  }
}

const countLockWaiters = () =>
  galley.database.count(
    `pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
const createNamed = (list: string, name: string, content = {}) =>
  createResource(ada, `/api/${list}`, { name, workspaceId, content });

interface LateCommit {
  what: string;
  list: 'templates' | 'modules';
  /**
   * The statement of another transaction that takes a lock. Ada's change waits for the lock after taking
   * its time and before its commit.
   */
  lock: string;
  change: (id: string) => Promise<unknown>;
  /** A change that does not wait for the lock of the other transaction. */
  concurrentChange: (id: string) => Promise<{ status: number }>;
}

const LOCK_ADA = `SELECT FROM users WHERE subject = 'ada' FOR UPDATE`;
const SWIFT = { name: 'swift' };

const lateCommits: LateCommit[] = [
  {
    what: 'the update of a template',
    list: 'templates',
    lock: LOCK_ADA,
    change: (id) => ada.put(`/api/templates/${id}`, { name: 'late' }),
    concurrentChange: () => bob.post('/api/templates', { ...SWIFT, workspaceId }),
  },
  {
    what: 'the creation of a template',
    list: 'templates',
    lock: LOCK_ADA,
    change: () => createNamed('templates', 'late'),
    concurrentChange: (id) => bob.put(`/api/templates/${id}`, SWIFT),
  },
  {
    what: 'the update of a module',
    list: 'modules',
    lock: 'LOCK TABLE outbox IN SHARE MODE',
    change: (id) => ada.put(`/api/modules/${id}`, { name: 'late' }),
    // The duplication of a module has no event, so it does not wait for the outbox.
    concurrentChange: (id) => bob.post(`/api/modules/${id}/duplicate`, SWIFT),
  },
];

describe.each([1, 100])('a client that follows a list in pages of %i', (limit) => {
  it.each(lateCommits)('misses nothing when $what commits late', async (lateCommit) => {
    const { list, lock, change, concurrentChange } = lateCommit;
    const listNames = async () => {
      const { body } = await bob.get<List>(`/api/${list}?workspaceId=${workspaceId}`);
      return body.data.map(({ name }) => name).sort();
    };
    const [changedId, otherId] = [
      await createNamed(list, 'one'),
      await createNamed(list, 'another'),
    ];
    const follower = new ListFollower(list, limit);
    await follower.followUntil(() => follower.items.size === 2);

    await otherTransaction.query(lock);
    const pendingChange = change(changedId);
    await eventually('the change to wait for the lock', countLockWaiters);
    expect((await concurrentChange(otherId)).status).toBeLessThan(300);
    expect(await listNames()).toContain('swift');
    expect(await listNames()).not.toContain('late');

    await follower.follow();
    await otherTransaction.query('COMMIT');
    await pendingChange;
    await follower.followUntil(() => follower.names.includes('swift'));
    expect(follower.names).toEqual(await listNames());
    expect(follower.names).toContain('late');
  });
});

it('a client that follows a list during many changes has everything in the end', async () => {
  const writeTemplates = async (size: number) => {
    const content = { text: 'x'.repeat(size) };
    const id = await createNamed('templates', `${size}`, content);
    for (let count = 1; count < 8; count++) {
      await createNamed('templates', `${size} ${count}`, content);
      await ada.put(`/api/templates/${id}`, { name: `${size} again ${count}`, content });
    }
  };
  const follower = new ListFollower('templates', 3);
  // The change of a large document commits some time after its `updatedAt`.
  const writing = { isOver: false };
  const writers = Promise.all([300_000, 100_000, 1].map(writeTemplates)).finally(
    () => (writing.isOver = true),
  );
  while (!writing.isOver) await follower.follow();
  await writers;
  const path = `/api/templates?workspaceId=${workspaceId}&limit=100&content=false`;
  const { data } = (await bob.get<List>(path)).body;
  const [latest] = data;
  await follower.followUntil(
    () => follower.items.get(latest?.id ?? '')?.updatedAt === latest?.updatedAt,
  );
  expect(Object.fromEntries(follower.items)).toEqual(
    Object.fromEntries(data.map((item) => [item.id, item])),
  );
});

it('is not held back by transactions that change something else', async () => {
  await otherTransaction.query(`UPDATE workspaces SET name = 'Renamed' WHERE id = $1`, [
    workspaceId,
  ]);
  await createNamed('templates', 'swift');
  const follower = new ListFollower('templates', 100);
  await follower.followUntil(() => follower.names.includes('swift'));
  await otherTransaction.query('ROLLBACK');
});

it('is held back only by the locks of changes', async () => {
  const id = await createResource(ada, '/api/templates', { name: 'A', workspaceId });
  // The key of this lock is one that a change in 1970 would have. But this lock is exclusive, and changes
  // take shared locks.
  await otherTransaction.query('SELECT pg_advisory_xact_lock((1763683::bigint << 42) | 1)');
  const list = `/api/templates?workspaceId=${workspaceId}&sort=createdAt`;
  await eventually('the change to be in the list', async () => {
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
    Array.from({ length: SIZE }, (_, index) => ({
      action: 'create',
      name: `${name} ${index}`,
      content: {},
    }));

  it.each(['updatedAt', 'createdAt'])('costs one request without rows with %s', async (sort) => {
    const follower = new ListFollower(list, 100, sort);
    expect(await follower.costOfNextRound()).toEqual({ requests: 1, rows: 0 });
    await writeBatch(creations('A'));
    await follower.followUntil(() => follower.items.size === SIZE);
    expect(follower.totals.rows).toBe(SIZE);
    // These rows share a time. A poll from that time once read all of them again.
    expect(new Set(Array.from(follower.items.values(), ({ updatedAt }) => updatedAt)).size).toBe(1);
    for (const poll of [1, 2, 3]) {
      expect([poll, await follower.costOfNextRound()]).toEqual([poll, { requests: 1, rows: 0 }]);
    }
    await createNamed(list, 'later');
    await follower.followUntil(() => follower.names.includes('later'));
    expect(follower.totals.rows).toBe(SIZE + 1);
  });

  itRaces('finds all concurrent changes, and each only once', async () => {
    const follower = new ListFollower(list, 37);
    await writeBatch(creations('A'));
    await follower.followUntil(() => follower.items.size === SIZE);
    const ids = [...follower.items.keys()];
    const rename = (client: Client, offset: number) =>
      client.post(`/api/${list}/batch`, {
        workspaceId,
        operations: ids
          .slice(offset, offset + 250)
          .map((id) => ({ action: 'update', id, name: `renamed ${id}` })),
      });
    const writing = { isOver: false };
    const writers = Promise.all([
      rename(ada, 0).then(() => rename(ada, 500)),
      rename(bob, 250).then(() => rename(bob, 750)),
      writeBatch(creations('B')),
      createNamed(list, 'one more'),
    ]).finally(() => (writing.isOver = true));
    while (!writing.isOver) await follower.follow();
    await writers;
    const isRenamed = (id: string) => follower.items.get(id)?.name === `renamed ${id}`;
    await follower.followUntil(() => follower.items.size === 2 * SIZE + 1 && ids.every(isRenamed));
    expect(follower.totals.rows).toBe(3 * SIZE + 1);
    expect(await follower.costOfNextRound()).toEqual({ requests: 1, rows: 0 });
  });
});

it('a syncCursor belongs to its list, and is null in orders that do not go forward in time', async () => {
  const path = `/api/templates?workspaceId=${workspaceId}`;
  for (const sort of ['-updatedAt', '-createdAt', 'name', '-name']) {
    const { body } = await bob.get<List>(`${path}&sort=${sort}`);
    expect([sort, body.syncCursor]).toEqual([sort, null]);
  }
  const { syncCursor } = (await bob.get<List>(`${path}&sort=updatedAt`)).body;
  const { status } = await bob.get(`${path}&sort=createdAt&cursor=${syncCursor}`);
  expect(status).toBe(400);
});
