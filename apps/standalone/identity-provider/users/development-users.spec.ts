import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DevelopmentUsers, type DevelopmentUser } from './development-users.js';

let directory: string;
let file: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'galley-users-'));
  file = join(directory, 'users.json');
});
afterEach(() => rm(directory, { recursive: true }));

async function signIn(users: DevelopmentUsers, email: string): Promise<DevelopmentUser> {
  const user = await users.signIn(email);
  if (user === undefined) throw new Error(`${email} is not an email address.`);
  return user;
}

test('an email address has only one user, whether in upper or lower case', async () => {
  const users = await DevelopmentUsers.load();
  const ada = await signIn(users, 'Ada.Lovelace@Example.com');
  expect(ada).toMatchObject({
    subject: 'ada.lovelace@example.com',
    firstName: 'Ada',
    lastName: 'Lovelace',
  });
  expect(await signIn(users, 'ada.lovelace@example.com')).toBe(ada);
  expect(await users.signIn('ada')).toBeUndefined();
});

test('names and deletions survive a restart', async () => {
  const users = await DevelopmentUsers.load(file);
  const ada = await signIn(users, 'ada@example.com');
  const bob = await signIn(users, 'bob@example.com');
  await Promise.all([
    users.rename(ada, { firstName: 'Augusta', lastName: 'King' }),
    users.delete(bob),
  ]);

  const reloaded = await DevelopmentUsers.load(file);
  expect(reloaded.find('ada@example.com')).toEqual(ada);
  expect(reloaded.find('bob@example.com')).toBeUndefined();
  // No temporary file is left.
  expect(await readdir(directory)).toEqual(['users.json']);
});

test('after a deletion, the email address belongs to a new user with a new subject', async () => {
  const users = await DevelopmentUsers.load(file);
  for (const subject of ['ada@example.com', 'ada@example.com#2', 'ada@example.com#3']) {
    const ada = await signIn(users, 'ada@example.com');
    expect([ada.subject, ada.firstName]).toEqual([subject, 'Ada']);
    await users.rename(ada, { firstName: 'Augusta', lastName: '' });
    await users.delete(ada);
  }
  // This email address is already the subject of the second user above.
  expect((await signIn(users, 'ada@example.com#2')).subject).toBe('ada@example.com#2#2');
});

test('each change to a user gets a later timestamp', async () => {
  const users = await DevelopmentUsers.load();
  const ada = await signIn(users, 'ada@example.com');
  const times = [ada.updatedAt];
  for (const firstName of ['A', 'B', 'C']) {
    await users.rename(ada, { firstName, lastName: '' });
    times.push(ada.updatedAt);
  }
  expect(new Set(times).size).toBe(4);
  expect([...times].sort((a, b) => a - b)).toEqual(times);
});
