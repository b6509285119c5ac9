import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from '../support/client.js';
import { startGalley, type Galley } from '../support/galley.js';

interface Member {
  userId: string;
  email: string;
  firstName: string;
  role: string;
  status: string;
}

let galley: Galley;
let ada: Client;
let workspace: string;
let members: string;
let subjects = 0;
let subject: string;
let email: string;

beforeAll(async () => {
  galley = await startGalley();
  ada = await galley.as('ada');
});
afterAll(() => galley.stop());
beforeEach(async () => {
  workspace = (await galley.workspaceOf('ada')).id;
  members = `/api/workspaces/${workspace}/members`;
  subject = `person-${++subjects}`;
  email = `${subject}@example.com`;
});

const invite = (role = 'editor', address = email, client = ada) =>
  client.post<Member>(members, { email: address, role });
const list = async () => (await ada.get<{ data: Member[] }>(members)).body.data;
const signIn = async (claims: object, who = subject) =>
  new Client(galley.url, await galley.issuer.token(who, { claims: { ...claims } }));
const verified = (address = email) => signIn({ email: address, email_verified: true });
const reads = async (client: Client) => (await client.get(`/api/workspaces/${workspace}`)).status;

describe('an invitation by e-mail', () => {
  it('is a member that waits, and becomes active when the address signs in', async () => {
    const { status, body } = await invite();
    expect([status, body]).toMatchObject([201, { email, role: 'editor', status: 'invited' }]);
    expect((await list()).map((member) => member.status).sort()).toEqual(['active', 'invited']);

    const client = await verified();
    expect(await reads(client)).toBe(200);
    const { user } = (await client.get<{ user: { id: string } }>('/api/auth/me')).body;
    const [joined] = (await list()).filter((member) => member.email === email);
    expect(joined).toMatchObject({ userId: user.id, role: 'editor', status: 'active' });
    expect(await galley.database.count(`users WHERE status = 'invited'`)).toBe(0);
    const entries = await galley.database.query(
      `SELECT action, actor_id = target_id AS "by themselves", details FROM audit_entries
       WHERE workspace_id = $1 ORDER BY occurred_at, id OFFSET 1`,
      [workspace],
    );
    expect(entries).toEqual([
      { action: 'member.invited', 'by themselves': false, details: { role: 'editor', email } },
      {
        ...{ action: 'member.joined', 'by themselves': true },
        details: { role: 'editor', invitation: body.userId },
      },
    ]);
  });

  it.each([
    ['in other letters', () => signIn({ email: email.toUpperCase(), email_verified: true })],
    ['that a template made a text of', () => signIn({ email, email_verified: 'true' })],
  ])('knows the address %s', async (_what, client) => {
    await invite('viewer', ` ${email} `);
    expect(await reads(await client())).toBe(200);
  });

  it.each([
    ['is not verified', { email_verified: false }],
    ['nobody says to be verified', {}],
    ['is verified by something else than true', { email_verified: 1 }],
    ['is another one', { email: 'other@example.com', email_verified: true }],
  ])('is not for whoever has an address that %s', async (_what, claims) => {
    await invite();
    expect(await reads(await signIn({ email, ...claims }, `${subject}-thief`))).toBe(403);
    expect((await list()).map((member) => member.status)).toContain('invited');
  });

  it('adds at once who has signed in with that address before', async () => {
    const client = await verified();
    await client.get('/api/auth/me');
    expect((await invite()).body).toMatchObject({ status: 'active', email });
    expect(await reads(client)).toBe(200);
  });

  it('reaches who verifies the address later', async () => {
    const unverified = await signIn({ email });
    await unverified.get('/api/auth/me');
    expect((await invite()).body.status).toBe('invited');
    expect(await reads(unverified)).toBe(403);
    expect(await reads(await verified())).toBe(200);
  });

  it('may be changed and withdrawn', async () => {
    const { userId } = (await invite()).body;
    const changed = await ada.put<Member>(`${members}/${userId}`, { role: 'viewer' });
    expect(changed.body).toMatchObject({ role: 'viewer', status: 'invited' });
    expect((await ada.delete(`${members}/${userId}`)).status).toBe(204);
    expect(await reads(await verified())).toBe(403);
  });

  it('to several workspaces is accepted in all of them at once', async () => {
    await invite('viewer');
    const first = workspace;
    workspace = (await galley.workspaceOf('ada')).id;
    members = `/api/workspaces/${workspace}/members`;
    await invite('admin');
    const client = await verified();
    const { data } = (await client.get<{ data: { id: string }[] }>('/api/workspaces')).body;
    expect(data.map(({ id }) => id).sort()).toEqual([first, workspace].sort());
  });

  it('is sent once', async () => {
    await invite();
    const again = await invite('viewer');
    expect([again.status, again.body]).toMatchObject([
      409,
      { message: 'The user is invited already.' },
    ]);
    await (await verified()).get('/api/auth/me');
    expect((await invite()).body).toMatchObject({ message: 'The user is a member already.' });
  });

  it('is nobody whom another workspace could add', async () => {
    const { userId } = (await invite()).body;
    const elsewhere = await galley.workspaceOf('bob');
    const bob = await galley.as('bob');
    const added = await bob.post(`/api/workspaces/${elsewhere.id}/members`, {
      userId,
      role: 'viewer',
    });
    expect([added.status, added.body]).toMatchObject([404, { message: 'There is no such user.' }]);
  });

  it('keeps the role of who is a member already', async () => {
    const client = await signIn({});
    const { user } = (await client.get<{ user: { id: string } }>('/api/auth/me')).body;
    await ada.post(members, { userId: user.id, role: 'admin' });
    await invite('viewer');
    await (await verified()).get('/api/auth/me');
    const [entry] = await galley.database.query(
      `SELECT action, details ->> 'role' AS role FROM audit_entries
       WHERE workspace_id = $1 ORDER BY occurred_at DESC, id DESC LIMIT 1`,
      [workspace],
    );
    expect(entry).toEqual({ action: 'member.removed', role: 'viewer' });
    const all = await list();
    expect(all.filter(({ status }) => status === 'invited')).toEqual([]);
    expect(all.find(({ userId }) => userId === user.id)?.role).toBe('admin');
  });

  it('does not count as the last owner, and only an owner makes one', async () => {
    await invite('owner');
    const { user } = (await ada.get<{ user: { id: string } }>('/api/auth/me')).body;
    expect((await ada.delete(`${members}/${user.id}`)).status).toBe(409);
    const bob = await galley.as('bob');
    const bobId = (await bob.get<{ user: { id: string } }>('/api/auth/me')).body.user.id;
    await ada.post(members, { userId: bobId, role: 'admin' });
    expect((await invite('owner', 'x@example.com', bob)).status).toBe(403);
  });

  describe('to an address that has changed hands', () => {
    const inSeconds = (count: number) => Math.floor(Date.now() / 1000) + count;
    const signInAt = (iat: number, claims: object, who = subject) =>
      signIn({ ...claims, iat: inSeconds(iat) }, who);

    it.each([
      ['says another address', { email: 'home@example.com', email_verified: true }],
      ['says that it is not verified', { email: 'home@example.com', email_verified: false }],
    ])('is not for whose newer token %s', async (_what, claims) => {
      await (await signInAt(-100, { email, email_verified: true })).get('/api/auth/me');
      const client = await signInAt(-50, claims);
      await client.get('/api/auth/me');
      expect((await invite()).body.status).toBe('invited');
      expect(await reads(client)).toBe(403);
      // Nor for an older token of theirs, which is valid still.
      const older = await signInAt(-90, { email, email_verified: true, jti: 'older' });
      expect(await reads(older)).toBe(403);
      expect((await list()).map((member) => member.status)).toContain('invited');
    });

    it('is for whom it was verified last', async () => {
      await (
        await signInAt(-50, { email, email_verified: true }, `${subject}-old`)
      ).get('/api/auth/me');
      const present = await signInAt(-10, { email, email_verified: true });
      await present.get('/api/auth/me');
      await (await signInAt(-60, {}, `${subject}-younger`)).get('/api/auth/me');
      expect((await invite()).body.status).toBe('active');
      expect(await reads(present)).toBe(200);
    });

    it('is for whoever has got it back', async () => {
      const verifiedAt = (iat: number, address: string) =>
        signInAt(iat, { email: address, email_verified: true });
      await (await verifiedAt(-90, email)).get('/api/auth/me');
      await (await verifiedAt(-80, 'b@example.com')).get('/api/auth/me');
      expect((await invite()).body.status).toBe('invited');
      expect(await reads(await verifiedAt(-70, email))).toBe(200);
    });
  });

  it('waits for who is shut out, and is accepted when they are let in again', async () => {
    const client = await verified();
    await client.get('/api/auth/me');
    const shut = (status: string) =>
      galley.database.query('UPDATE users SET status = $2 WHERE subject = $1', [subject, status]);
    await shut('deactivated');
    expect((await invite()).body.status).toBe('invited');
    await shut('active');
    expect(await reads(await signIn({ email, email_verified: true, jti: 'new' }))).toBe(200);
    expect((await list()).filter((member) => member.email === email)).toHaveLength(1);
  });

  it('is not for an address that only looks the same', async () => {
    await invite('admin', 'kate@example.com');
    const kelvin = await signIn({ email: '\u212Aate@example.com', email_verified: true });
    expect(await reads(kelvin)).toBe(403);
  });

  it('is changed and accepted at the same time without waiting for each other', async () => {
    const deadlocks = async () => {
      const [row] = await galley.database.query<{ deadlocks: string }>(
        'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()',
      );
      return Number(row?.deadlocks);
    };
    const before = await deadlocks();
    for (let round = 1; round <= 20; round++) {
      [subject, email] = [`crosser-${round}`, `crosser-${round}@example.com`];
      const { userId } = (await invite()).body;
      const client = await verified();
      const [changed, me] = await Promise.all([
        ada.put(`${members}/${userId}`, { role: 'admin' }),
        client.get('/api/auth/me'),
        invite(),
      ]);
      expect(me.status).toBe(200);
      expect([200, 404]).toContain(changed.status);
      expect(await reads(client)).toBe(200);
    }
    expect(await deadlocks()).toBe(before);
  });

  it('is not lost when it crosses the first sign-in', async () => {
    for (let round = 1; round <= 20; round++) {
      [subject, email] = [`racer-${round}`, `racer-${round}@example.com`];
      const client = await verified();
      const [invited] = await Promise.all([invite(), client.get('/api/auth/me')]);
      expect(invited.status).toBe(201);
      expect(await reads(client)).toBe(200);
    }
  });

  it('is not lost when another one of the address is withdrawn', async () => {
    let { userId } = (await invite()).body;
    for (let round = 1; round <= 20; round++) {
      const here = members;
      const elsewhere = await galley.workspaceOf('ada');
      members = `/api/workspaces/${elsewhere.id}/members`;
      const [invited, withdrawn] = await Promise.all([invite(), ada.delete(`${here}/${userId}`)]);
      expect([invited.status, withdrawn.status]).toEqual([201, 204]);
      userId = invited.body.userId;
      expect((await list()).map((member) => member.email)).toContain(email);
    }
    workspace = members.split('/')[3] ?? '';
    expect(await reads(await verified())).toBe(200);
  });

  it.each([
    [{ role: 'viewer' }, 'userId or email'],
    [{ role: 'viewer', email: 'a@example.com', userId: 'b' }, 'user'],
    ...['', 'ada', 'a@b@c', `${'a'.repeat(250)}@example.com`].map((address): [object, string] => [
      { role: 'viewer', email: address },
      'email',
    ]),
    [{ role: 'viewer', email: 7 }, 'email'],
    [{ role: 'viewer', email: null }, 'email'],
  ])('is not sent as %j', async (body, message) => {
    const answer = await ada.post<{ message: string }>(members, body);
    expect([answer.status >= 400 && answer.status < 500, answer.body.message]).toEqual([
      true,
      expect.stringContaining(message),
    ]);
  });
});
