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
  private since = '2020-01-01T00:00:00Z';

  constructor(
    private readonly list: string,
    private readonly limit: number,
  ) {}

  async follow(): Promise<void> {
    const query = `workspaceId=${workspaceId}&limit=${this.limit}&content=false&sort=updatedAt`;
    const path = `/api/${this.list}?${query}&updatedSince=${this.since}`;
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body }: { body: List } = await bob.get(path + cursor);
      for (const item of body.data) {
        this.items.set(item.id, item);
        this.since = item.updatedAt;
      }
      cursor = body.nextCursor && `&cursor=${body.nextCursor}`;
    }
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
