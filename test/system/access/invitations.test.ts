import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from '../../support/api/client.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';
import { itRaces } from '../../support/it-races.js';

interface Member {
  userId: string;
  email: string;
  firstName: string;
  role: string;
  status: string;
}

let galley: Galley;
let ada: Client;
let workspaceId: string;
let membersPath: string;
let subjectCount = 0;
let subject: string;
let email: string;

beforeAll(async () => {
  galley = await startGalley();
  ada = await galley.clientFor('ada');
});
afterAll(() => galley.stop());
beforeEach(async () => {
  workspaceId = (await galley.createWorkspaceFor('ada')).id;
  membersPath = `/api/workspaces/${workspaceId}/members`;
  subject = `person-${++subjectCount}`;
  email = `${subject}@example.com`;
});

const invite = (role = 'editor', invitedEmail = email, client = ada) =>
  client.post<Member>(membersPath, { email: invitedEmail, role });
const listMembers = async () => (await ada.get<{ data: Member[] }>(membersPath)).body.data;
const signIn = async (claims: object, tokenSubject = subject) =>
  new Client(galley.url, await galley.issuer.token(tokenSubject, { claims: { ...claims } }));
const signInVerified = (verifiedEmail = email) =>
  signIn({ email: verifiedEmail, email_verified: true });
const readStatus = async (client: Client) =>
  (await client.get(`/api/workspaces/${workspaceId}`)).status;

describe('an invitation by email', () => {
  it('is a member with the status invited, and becomes active when the address signs in', async () => {
    const { status, body } = await invite();
    expect([status, body]).toMatchObject([201, { email, role: 'editor', status: 'invited' }]);
    expect((await listMembers()).map((member) => member.status).sort()).toEqual([
      'active',
      'invited',
    ]);

    const client = await signInVerified();
    expect(await readStatus(client)).toBe(200);
    const { user } = (await client.get<{ user: { id: string } }>('/api/auth/me')).body;
    const [joined] = (await listMembers()).filter((member) => member.email === email);
    expect(joined).toMatchObject({ userId: user.id, role: 'editor', status: 'active' });
    expect(await galley.database.count(`users WHERE status = 'invited'`)).toBe(0);
    const entries = await galley.database.query(
      `SELECT action, actor_id = target_id AS "by themselves", details FROM audit_entries
       WHERE workspace_id = $1 ORDER BY occurred_at, id OFFSET 1`,
      [workspaceId],
    );
    expect(entries).toEqual([
      { action: 'member.invited', 'by themselves': false, details: { role: 'editor', email } },
      {
        action: 'member.joined',
        'by themselves': true,
        details: { role: 'editor', invitation: body.userId },
      },
    ]);
  });

  it.each([
    ['in upper and lower case', () => signIn({ email: email.toUpperCase(), email_verified: true })],
    ['whose email_verified is a text', () => signIn({ email, email_verified: 'true' })],
  ])('is accepted by an address %s', async (_title, client) => {
    await invite('viewer', ` ${email} `);
    expect(await readStatus(await client())).toBe(200);
  });

  it.each([
    ['is not verified', { email_verified: false }],
    ['has no email_verified', {}],
    ['has an email_verified that is not true', { email_verified: 1 }],
    ['differs', { email: 'other@example.com', email_verified: true }],
  ])('is not accepted by an address that %s', async (_title, claims) => {
    await invite();
    expect(await readStatus(await signIn({ email, ...claims }, `${subject}-thief`))).toBe(403);
    expect((await listMembers()).map((member) => member.status)).toContain('invited');
  });

  it('adds a user at once who has already signed in with the address', async () => {
    const client = await signInVerified();
    await client.get('/api/auth/me');
    expect((await invite()).body).toMatchObject({ status: 'active', email });
    expect(await readStatus(client)).toBe(200);
  });

  it('is accepted when the address is verified later', async () => {
    const unverified = await signIn({ email });
    await unverified.get('/api/auth/me');
    expect((await invite()).body.status).toBe('invited');
    expect(await readStatus(unverified)).toBe(403);
    expect(await readStatus(await signInVerified())).toBe(200);
  });

  it('can be changed and withdrawn', async () => {
    const { userId } = (await invite()).body;
    const changed = await ada.put<Member>(`${membersPath}/${userId}`, { role: 'viewer' });
    expect(changed.body).toMatchObject({ role: 'viewer', status: 'invited' });
    expect((await ada.delete(`${membersPath}/${userId}`)).status).toBe(204);
    expect(await readStatus(await signInVerified())).toBe(403);
  });

  it('to several workspaces is accepted in all of them at once', async () => {
    await invite('viewer');
    const first = workspaceId;
    workspaceId = (await galley.createWorkspaceFor('ada')).id;
    membersPath = `/api/workspaces/${workspaceId}/members`;
    await invite('admin');
    const client = await signInVerified();
    const { data } = (await client.get<{ data: { id: string }[] }>('/api/workspaces')).body;
    expect(data.map(({ id }) => id).sort()).toEqual([first, workspaceId].sort());
  });

  it('is sent once', async () => {
    await invite();
    const secondInvite = await invite('viewer');
    expect([secondInvite.status, secondInvite.body]).toMatchObject([
      409,
      { message: 'The user is already invited.' },
    ]);
    await (await signInVerified()).get('/api/auth/me');
    expect((await invite()).body).toMatchObject({ message: 'The user is already a member.' });
  });

  it('cannot be added to another workspace by id', async () => {
    const { userId } = (await invite()).body;
    const otherWorkspace = await galley.createWorkspaceFor('bob');
    const bob = await galley.clientFor('bob');
    const addResponse = await bob.post(`/api/workspaces/${otherWorkspace.id}/members`, {
      userId,
      role: 'viewer',
    });
    expect([addResponse.status, addResponse.body]).toMatchObject([
      404,
      { message: 'There is no such user.' },
    ]);
  });

  it('does not change the role of an existing member', async () => {
    const client = await signIn({});
    const { user } = (await client.get<{ user: { id: string } }>('/api/auth/me')).body;
    await ada.post(membersPath, { userId: user.id, role: 'admin' });
    await invite('viewer');
    await (await signInVerified()).get('/api/auth/me');
    const [entry] = await galley.database.query(
      `SELECT action, details ->> 'role' AS role FROM audit_entries
       WHERE workspace_id = $1 ORDER BY occurred_at DESC, id DESC LIMIT 1`,
      [workspaceId],
    );
    expect(entry).toEqual({ action: 'member.removed', role: 'viewer' });
    const members = await listMembers();
    expect(members.filter(({ status }) => status === 'invited')).toEqual([]);
    expect(members.find(({ userId }) => userId === user.id)?.role).toBe('admin');
  });

  it('does not count as the last owner, and only an owner makes one', async () => {
    await invite('owner');
    const { user } = (await ada.get<{ user: { id: string } }>('/api/auth/me')).body;
    expect((await ada.delete(`${membersPath}/${user.id}`)).status).toBe(409);
    const bob = await galley.clientFor('bob');
    const bobId = (await bob.get<{ user: { id: string } }>('/api/auth/me')).body.user.id;
    await ada.post(membersPath, { userId: bobId, role: 'admin' });
    expect((await invite('owner', 'x@example.com', bob)).status).toBe(403);
  });

  describe('to an address that now belongs to another user', () => {
    const inSeconds = (count: number) => Math.floor(Date.now() / 1000) + count;
    const signInAt = (issuedAtOffset: number, claims: object, tokenSubject = subject) =>
      signIn({ ...claims, iat: inSeconds(issuedAtOffset) }, tokenSubject);

    it.each([
      ['has another address', { email: 'home@example.com', email_verified: true }],
      [
        'says that the address is not verified',
        { email: 'home@example.com', email_verified: false },
      ],
    ])('is not accepted by a user whose newer token %s', async (_title, claims) => {
      await (await signInAt(-100, { email, email_verified: true })).get('/api/auth/me');
      const client = await signInAt(-50, claims);
      await client.get('/api/auth/me');
      expect((await invite()).body.status).toBe('invited');
      expect(await readStatus(client)).toBe(403);
      // An older token of the user, which is still valid, does not accept the invitation either.
      const older = await signInAt(-90, { email, email_verified: true, jti: 'older' });
      expect(await readStatus(older)).toBe(403);
      expect((await listMembers()).map((member) => member.status)).toContain('invited');
    });

    it('is accepted by the user who verified the address last', async () => {
      await (
        await signInAt(-50, { email, email_verified: true }, `${subject}-old`)
      ).get('/api/auth/me');
      const currentHolder = await signInAt(-10, { email, email_verified: true });
      await currentHolder.get('/api/auth/me');
      await (await signInAt(-60, {}, `${subject}-younger`)).get('/api/auth/me');
      expect((await invite()).body.status).toBe('active');
      expect(await readStatus(currentHolder)).toBe(200);
    });

    it('is accepted by the user who has the address again', async () => {
      const signInVerifiedAt = (issuedAtOffset: number, verifiedEmail: string) =>
        signInAt(issuedAtOffset, { email: verifiedEmail, email_verified: true });
      await (await signInVerifiedAt(-90, email)).get('/api/auth/me');
      await (await signInVerifiedAt(-80, 'b@example.com')).get('/api/auth/me');
      expect((await invite()).body.status).toBe('invited');
      expect(await readStatus(await signInVerifiedAt(-70, email))).toBe(200);
    });
  });

  it('waits while the user is deactivated, and is accepted when the user is active again', async () => {
    const client = await signInVerified();
    await client.get('/api/auth/me');
    const setUserStatus = (status: string) =>
      galley.database.query('UPDATE users SET status = $2 WHERE subject = $1', [subject, status]);
    await setUserStatus('deactivated');
    expect((await invite()).body.status).toBe('invited');
    await setUserStatus('active');
    expect(await readStatus(await signIn({ email, email_verified: true, jti: 'new' }))).toBe(200);
    expect((await listMembers()).filter((member) => member.email === email)).toHaveLength(1);
  });

  it('is not accepted by an address that only looks the same', async () => {
    await invite('admin', 'kate@example.com');
    const lookalike = await signIn({ email: '\u212Aate@example.com', email_verified: true });
    expect(await readStatus(lookalike)).toBe(403);
  });

  itRaces('can be changed and accepted at the same time without a deadlock', async () => {
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
      const client = await signInVerified();
      const [changed, me] = await Promise.all([
        ada.put(`${membersPath}/${userId}`, { role: 'admin' }),
        client.get('/api/auth/me'),
        invite(),
      ]);
      expect(me.status).toBe(200);
      expect([200, 404]).toContain(changed.status);
      expect(await readStatus(client)).toBe(200);
    }
    expect(await deadlocks()).toBe(before);
  });

  it('is not lost if it is created during the first sign-in', async () => {
    for (let round = 1; round <= 20; round++) {
      [subject, email] = [`racer-${round}`, `racer-${round}@example.com`];
      const client = await signInVerified();
      const [invited] = await Promise.all([invite(), client.get('/api/auth/me')]);
      expect(invited.status).toBe(201);
      expect(await readStatus(client)).toBe(200);
    }
  });

  it('is not lost when another invitation of the address is withdrawn', async () => {
    let { userId } = (await invite()).body;
    for (let round = 1; round <= 20; round++) {
      const previousMembersPath = membersPath;
      const otherWorkspace = await galley.createWorkspaceFor('ada');
      membersPath = `/api/workspaces/${otherWorkspace.id}/members`;
      const [invited, withdrawn] = await Promise.all([
        invite(),
        ada.delete(`${previousMembersPath}/${userId}`),
      ]);
      expect([invited.status, withdrawn.status]).toEqual([201, 204]);
      userId = invited.body.userId;
      expect((await listMembers()).map((member) => member.email)).toContain(email);
    }
    workspaceId = membersPath.split('/')[3] ?? '';
    expect(await readStatus(await signInVerified())).toBe(200);
  });

  it.each([
    [{ role: 'viewer' }, 'userId and email'],
    [{ role: 'viewer', email: 'a@example.com', userId: 'b' }, 'user'],
    ...['', 'ada', 'a@b@c', `${'a'.repeat(250)}@example.com`].map(
      (invalidEmail): [object, string] => [{ role: 'viewer', email: invalidEmail }, 'email'],
    ),
    [{ role: 'viewer', email: 7 }, 'email'],
    [{ role: 'viewer', email: null }, 'email'],
  ])('cannot be created from %j', async (body, message) => {
    const response = await ada.post<{ message: string }>(membersPath, body);
    expect([response.status >= 400 && response.status < 500, response.body.message]).toEqual([
      true,
      expect.stringContaining(message),
    ]);
  });
});
