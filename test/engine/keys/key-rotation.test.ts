import { randomBytes, randomUUID } from 'node:crypto';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  jest,
} from '@jest/globals';
import { Logger } from '@nestjs/common';
import { type CompleteDatabase, Database } from '#database';
import { KeyRing, computeKeyId } from '#encryption';
import { KEY_ROTATION_TIMES, KeyRotation } from '#key-rotation';
import { EndpointSecrets } from '#webhooks';
import { eventually } from '../../support/eventually.js';
import { PreparedDatabase } from '../support/prepared-database.js';

type KeyState = 'active' | 'old' | 'closed' | 'retired';

const [OLD, NEW] = [randomBytes(32), randomBytes(32)];
const [oldId, newId] = [computeKeyId(OLD), computeKeyId(NEW)];

const BEAT_MS = KEY_ROTATION_TIMES.beatMs;

let database: PreparedDatabase;
let ring: KeyRing;
let rotation: KeyRotation;

beforeAll(async () => {
  database = await PreparedDatabase.start();
});
afterAll(() => database.stop());
beforeEach(() => {
  ring = new KeyRing([NEW, OLD]);
  rotation = startRotation(true);
});
afterEach(async () => {
  jest.restoreAllMocks();
  KEY_ROTATION_TIMES.beatMs = BEAT_MS;
  await rotation.beforeApplicationShutdown();
  await database.query('DELETE FROM encryption_keys');
  await database.query('DELETE FROM running_programs');
});

const startRotation = (isComplete: boolean) =>
  new KeyRotation('api', database.get(Database), ring, { isComplete } as CompleteDatabase);

async function storeKeys(keys: Record<string, KeyState>): Promise<void> {
  for (const [id, state] of Object.entries(keys)) {
    await database.insert('encryption_keys', { id, state });
  }
}

/** Another program that runs. */
const storeProgram = (keyIds: string[], activeKeyId: string | null) =>
  database.insert('running_programs', {
    id: randomUUID(),
    program: 'worker',
    host: 'elsewhere',
    key_ids: keyIds,
    active_key_id: activeKeyId,
  });

async function readKeys(): Promise<Record<string, string>> {
  const rows = await database.query<{ id: string; state: string; webhooks: number }>(
    'SELECT * FROM encryption_keys',
  );
  return Object.fromEntries(rows.map(({ id, state, webhooks }) => [id, `${state} ${webhooks}`]));
}

describe('the first key of a program', () => {
  it('encrypts once all running programs have it first', async () => {
    await storeKeys({ [oldId]: 'active' });
    await storeProgram([newId, oldId], oldId);
    await rotation.onModuleInit();
    expect(await readKeys()).toEqual({ [oldId]: 'old 0', [newId]: 'active 0' });
    expect([ring.activeId, rotation.findProblem()]).toEqual([newId, undefined]);
  });

  it('does not encrypt while another program has another key first', async () => {
    await storeKeys({ [oldId]: 'active' });
    await storeProgram([oldId, newId], oldId);
    await rotation.onModuleInit();
    expect(await readKeys()).toEqual({ [oldId]: 'active 0' });
    expect(ring.activeId).toBe(oldId);
  });
});

describe('a program', () => {
  const LOST_ID = '0000000a';

  it('that lacks a closed key does not run', async () => {
    await storeKeys({ [newId]: 'active', [LOST_ID]: 'closed' });
    await rotation.onModuleInit();
    expect(rotation.findProblem()).toContain(`The id of the key is ${LOST_ID}.`);
    expect(ring.activeId).toBeUndefined();
    expect(await database.query('SELECT FROM running_programs')).toEqual([]);
  });

  it('that lacks two keys says which of them encrypts', async () => {
    await storeKeys({ '0000000b': 'active', [LOST_ID]: 'old' });
    await rotation.onModuleInit();
    expect(rotation.findProblem()).toMatch(
      /the key that encrypts new data: .* The id of the key is 0000000b\. .* another key: .* Its id is 0000000a\.$/,
    );
  });

  it('that lacks a key says so once in its log, and again if it lacks another one', async () => {
    const log = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const messages = () => log.mock.calls.map(([, message]: unknown[]) => message);
    const problemOf = (id: string) =>
      `SECRETS_KEYS lacks the key that encrypts new data: add that key, and put it first, unless you want the first key of the list to replace it. The id of the key is ${id}.`;
    const query = jest.spyOn(database.get(Database), 'query');
    KEY_ROTATION_TIMES.beatMs = 10;
    await storeKeys({ [LOST_ID]: 'active' });
    await rotation.onModuleInit();
    await eventually('some reports', () => query.mock.calls.length > 5);
    expect(messages()).toEqual([problemOf(LOST_ID)]);
    await database.query('UPDATE encryption_keys SET id = $1', ['0000000b']);
    await eventually('the other problem', () => messages().length > 1);
    expect(messages()).toEqual([problemOf(LOST_ID), problemOf('0000000b')]);
  });

  it.each([
    ['warns', true, 1],
    ['does not warn, because the program waits for a complete database,', false, 0],
  ])('%s that its keys were not compared', async (_title, isComplete, warnings) => {
    const log = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    await rotation.beforeApplicationShutdown();
    rotation = startRotation(isComplete);
    await database.query('ALTER TABLE running_programs RENAME TO elsewhere');
    await rotation.onModuleInit();
    await database.query('ALTER TABLE elsewhere RENAME TO running_programs');
    expect(log).toHaveBeenCalledTimes(warnings);
  });

  it('needs no retired key', async () => {
    await storeKeys({ [newId]: 'active', [LOST_ID]: 'retired' });
    await rotation.onModuleInit();
    expect([rotation.findProblem(), ring.activeId]).toEqual([undefined, newId]);
  });
});

describe('an old key', () => {
  it.each<[string, string | null, KeyState, boolean]>([
    ['is closed once all programs encrypt with the active key', newId, 'closed', false],
    ['stays open while a program encrypts with it', oldId, 'old', true],
    ['stays open while a program does not know yet which key encrypts', null, 'old', true],
  ])('%s', async (_title, activeKeyId, state, isWaiting) => {
    await storeKeys({ [newId]: 'active', [oldId]: 'old' });
    await storeProgram([newId, oldId], newId);
    await storeProgram([newId, oldId], activeKeyId);
    const closed = await rotation.closeOldKeys();
    expect(closed).toEqual({ closedIds: isWaiting ? [] : [oldId], isWaiting });
    expect(await readKeys()).toEqual({ [newId]: 'active 0', [oldId]: `${state} 0` });
  });
});

describe('a count', () => {
  it.each<[string, KeyState, number | undefined, string[], string]>([
    ['retires a closed key that no webhook needs', 'closed', undefined, [oldId], 'retired 0'],
    ['leaves a key that a webhook needs', 'closed', 2, [oldId], 'closed 2'],
    ['leaves a key that was closed after it had begun', 'closed', undefined, [], 'closed 0'],
    ['leaves a key that is not closed', 'old', undefined, [oldId], 'old 0'],
  ])('%s', async (_title, state, webhooks, closedIds, expected) => {
    await storeKeys({ [newId]: 'active', [oldId]: state });
    const counts = new Map([[newId, 3]]);
    if (webhooks !== undefined) counts.set(oldId, webhooks);
    await rotation.storeCounts(counts, closedIds);
    expect(await readKeys()).toEqual({ [newId]: 'active 3', [oldId]: expected });
  });

  it.each([
    ['a secret', { encrypted_secret: '0000000b.any' }],
    ['a header', { encrypted_headers: '0000000b.any' }],
    [
      'an earlier secret that may still sign',
      { earlier_secrets: JSON.stringify([{ encrypted: '0000000b.any', until: '2099-01-01' }]) },
    ],
  ])('includes the key of %s', async (_what, endpoint) => {
    await database.query('DELETE FROM webhook_endpoints');
    await database.prepare({ endpoint: endpoint as object });
    const counts = await database.get(EndpointSecrets).reencrypt();
    expect(counts.get('0000000b')).toBe(1);
  });
});
