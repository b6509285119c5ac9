import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Client } from '../../support/api/client.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';
import { clerk, send, workos, type Message } from '../../support/identity/provider-messages.js';
import { itRaces } from '../../support/it-races.js';

interface Member {
  userId: string;
  role: string;
  status: string;
}

describe.each([clerk, workos])('organizations of $name', (provider) => {
  const { membership, organization } = provider;
  if (!membership || !organization) throw new Error('This provider has no organisations.');
  let galley: Galley;
  let subjectNumber = 0;
  let organizationId: string;
  let subject: string;

  beforeAll(async () => {
    galley = await startGalley({
      environment: {
        AUTH_WEBHOOK_PROVIDER: provider.name,
        AUTH_WEBHOOK_SECRET: provider.secret,
      },
    });
  });
  afterAll(() => galley.stop());
  beforeEach(() => {
    [organizationId, subject] = [`org_${++subjectNumber}`, `user_${subjectNumber}`];
  });

  const deliver = async (...messages: Message[]) => {
    for (const sentMessage of messages) {
      const { status, text } = await send(galley.anonymous, provider, sentMessage);
      expect([status, text]).toEqual([200, '{"received":true}']);
    }
  };
  const clientOf = async (name: string) => new Client(galley.url, await galley.issuer.token(name));
  const workspaceOf = async (name = organizationId) => {
    const [row] = await galley.database.query<{ id: string; name: string }>(
      `SELECT workspace.id, workspace.name FROM provider_organizations organization
       JOIN workspaces workspace ON workspace.id = workspace_id WHERE organization.id = $1`,
      [name],
    );
    return row;
  };
  const rolesOf = async (id: string) => {
    const rows = await galley.database.query<{ subject: string; role: string }>(
      `SELECT subject, role FROM workspace_members JOIN users ON users.id = user_id
       WHERE workspace_id = $1 ORDER BY subject`,
      [id],
    );
    return Object.fromEntries(rows.map((row) => [row.subject, row.role]));
  };
  const membershipCreated = (
    fields: { id?: string; role?: string; at?: number; who?: string } = {},
  ) => {
    const {
      id = `${organizationId}_${subject}`,
      role = 'member',
      at = 1_000,
      who = subject,
    } = fields;
    return membership({
      kind: 'created',
      id,
      organization: organizationId,
      subject: who,
      role,
      at,
    });
  };
  const membershipChanged = (
    kind: 'updated' | 'deleted',
    at: number,
    role = 'member',
    id = `${organizationId}_${subject}`,
  ) => membership({ kind, id, organization: organizationId, subject, role, at });
  const organizationEvent = (
    name: string,
    at: number,
    kind: 'created' | 'updated' | 'deleted' = 'created',
  ) => organization({ kind, id: organizationId, name, at });

  it('become workspaces, and their members become members', async () => {
    await deliver(organizationEvent('Kitchen', 1_000), membershipCreated({ role: 'admin' }));
    const client = await clientOf(subject);
    const { data } = (await client.get<{ data: { id: string; name: string }[] }>('/api/workspaces'))
      .body;
    expect(data.map(({ name }) => name)).toEqual(['Kitchen']);
    const path = `/api/workspaces/${data[0]?.id ?? ''}`;
    const members = (await client.get<{ data: Member[] }>(`${path}/members`)).body.data;
    expect(members).toMatchObject([{ role: 'admin', status: 'active' }]);
    await deliver(organizationEvent('Great Kitchen', 2_000, 'updated'));
    expect((await client.get<{ name: string }>(path)).body.name).toBe('Great Kitchen');
    const audit = await client.get<{ data: { action: string; actor: null; details: object }[] }>(
      `${path}/audit`,
    );
    const providerName = provider.name;
    expect(audit.body.data.map(({ action, actor, details }) => [action, actor, details])).toEqual([
      ['workspace.renamed', null, { from: 'Kitchen', to: 'Great Kitchen', by: providerName }],
      ['member.added', null, { role: 'admin', by: providerName }],
      [
        'workspace.created',
        null,
        { name: 'Kitchen', organization: organizationId, by: providerName },
      ],
    ]);
    await deliver(membershipChanged('deleted', 3_000));
    expect((await client.get(path)).status).toBe(403);
  });

  it.each([
    ['owner', 'owner'],
    ['admin', 'admin'],
    ['editor', 'editor'],
    ['member', 'editor'],
    ['basic_member', 'editor'],
    ['viewer', 'viewer'],
    ['billing_manager', 'viewer'],
    ['', 'viewer'],
  ])('map the role %j to %s', async (role, expectedRole) => {
    await deliver(membershipCreated({ role }));
    const workspace = await workspaceOf();
    expect(await rolesOf(workspace?.id ?? '')).toEqual({ [subject]: expectedRole });
  });

  it('keep a member who became an owner in Galley an owner until the provider deletes the membership', async () => {
    await deliver(
      membershipCreated({ role: 'admin' }),
      membershipCreated({ who: `${subject}-2`, id: `${organizationId}_2` }),
    );
    const { id = '' } = (await workspaceOf()) ?? {};
    const client = await clientOf(subject);
    const { user } = (await client.get<{ user: { id: string } }>('/api/auth/me')).body;
    const promoted = await client.put(`/api/workspaces/${id}/members/${user.id}`, {
      role: 'owner',
    });
    expect(promoted.status).toBe(200);
    await deliver(
      membershipChanged('updated', 2_000, 'admin'),
      membershipChanged('updated', 3_000, 'member'),
    );
    expect(await rolesOf(id)).toEqual({ [subject]: 'owner', [`${subject}-2`]: 'editor' });
    await deliver(membershipChanged('deleted', 4_000));
    expect(await rolesOf(id)).toEqual({ [`${subject}-2`]: 'editor' });
  });

  it('lose all members when they are deleted, and keep their contents', async () => {
    await deliver(organizationEvent('Kitchen', 1_000), membershipCreated({ role: 'admin' }));
    const { id = '' } = (await workspaceOf()) ?? {};
    const client = await clientOf(subject);
    const template = { name: 'Welcome', workspaceId: id };
    expect((await client.post('/api/templates', template)).status).toBe(201);
    const { key } = (
      await client.post<{ key: string }>(`/api/workspaces/${id}/keys`, {
        name: 'K',
        role: 'viewer',
      })
    ).body;
    await deliver(organizationEvent('', 2_000, 'deleted'));
    expect((await client.get(`/api/workspaces/${id}`)).status).toBe(403);
    expect((await new Client(galley.url, key).get(`/api/workspaces/${id}`)).status).toBe(401);
    expect(await galley.database.count(`documents WHERE workspace_id = '${id}'`)).toBe(1);
    // A message that arrives after the deletion restores no membership.
    await deliver(
      organizationEvent('Kitchen', 3_000),
      membershipCreated({ id: `${organizationId}_late`, at: 4_000 }),
    );
    expect(await rolesOf(id)).toEqual({});
    expect(await workspaceOf()).toBeUndefined();
  });

  it('remove a member or key that is added during their deletion', async () => {
    for (let round = 1; round <= 15; round++) {
      [organizationId, subject] = [`org_${++subjectNumber}`, `user_${subjectNumber}`];
      await deliver(
        membershipCreated({ role: 'admin' }),
        provider.user({ kind: 'created', subject: 'bob', at: 1 }),
      );
      const { id = '' } = (await workspaceOf()) ?? {};
      const client = await clientOf(subject);
      const [bob] = await galley.database.query<{ id: string }>(
        `SELECT id FROM users WHERE subject = 'bob'`,
      );
      await Promise.all([
        client.post(`/api/workspaces/${id}/members`, { userId: bob?.id, role: 'admin' }),
        client.post(`/api/workspaces/${id}/keys`, { name: 'K', role: 'admin' }),
        deliver(organizationEvent('', 2_000, 'deleted')),
      ]);
      expect(await rolesOf(id)).toEqual({});
      expect(await galley.database.count(`api_keys WHERE workspace_id = '${id}'`)).toBe(0);
    }
  });

  itRaces('do not gain a member who is deleted while being added', async () => {
    await deliver(membershipCreated({ role: 'admin' }));
    const { id = '' } = (await workspaceOf()) ?? {};
    const client = await clientOf(subject);
    for (let round = 1; round <= 15; round++) {
      const newcomer = `${subject}-new-${round}`;
      await deliver(provider.user({ kind: 'created', subject: newcomer, at: 1_000 }));
      const [user] = await galley.database.query<{ id: string }>(
        'SELECT id FROM users WHERE subject = $1',
        [newcomer],
      );
      await Promise.all([
        client.post(`/api/workspaces/${id}/members`, { userId: user?.id, role: 'viewer' }),
        deliver(provider.user({ kind: 'deleted', subject: newcomer, at: 2_000 })),
      ]);
    }
    expect(await rolesOf(id)).toEqual({ [subject]: 'admin' });
  });

  it('remove a member by a message that names only the membership', async () => {
    const membershipDeletedById = (id: string) => {
      const sentMessage = membershipChanged('deleted', 3_000, 'member', id);
      const body = JSON.parse(sentMessage.body) as { data: object };
      return { ...sentMessage, body: JSON.stringify({ ...body, data: { id } }) };
    };
    await deliver(membershipCreated());
    const { id = '' } = (await workspaceOf()) ?? {};
    await deliver(membershipDeletedById(`${organizationId}_${subject}`));
    expect(await rolesOf(id)).toEqual({});
    await deliver(
      membershipDeletedById(`${organizationId}_unheard`),
      membershipCreated({ id: `${organizationId}_unheard`, at: 4_000 }),
    );
    expect(await rolesOf(id)).toEqual({});
    expect(await galley.database.count(`provider_organizations WHERE id = ''`)).toBe(0);
  });

  it('are not created again after their workspace was deleted', async () => {
    await deliver(membershipCreated({ role: 'owner' }));
    const { id = '' } = (await workspaceOf()) ?? {};
    expect((await (await clientOf(subject)).delete(`/api/workspaces/${id}`)).status).toBe(204);
    await deliver(
      membershipChanged('updated', 2_000, 'admin'),
      organizationEvent('Kitchen', 3_000),
    );
    expect(await workspaceOf()).toBeUndefined();
  });

  it('lose deleted users for good', async () => {
    await deliver(membershipCreated());
    const { id = '' } = (await workspaceOf()) ?? {};
    await deliver(provider.user({ kind: 'deleted', subject, at: 2_000 }));
    expect(await rolesOf(id)).toEqual({});
    await deliver(
      membershipChanged('updated', 3_000, 'admin'),
      membershipCreated({ id: `${organizationId}_again`, at: 4_000 }),
    );
    expect(await rolesOf(id)).toEqual({});
    const [entry] = await galley.database.query(
      `SELECT action, details FROM audit_entries WHERE workspace_id = $1
       ORDER BY occurred_at DESC, id DESC LIMIT 1`,
      [id],
    );
    expect(entry).toEqual({
      action: 'member.removed',
      details: { role: 'editor', by: provider.name },
    });
  });

  itRaces(
    'end in the same state in whatever order the messages arrive, one by one or at once',
    async () => {
      const endArbitrary = fc.constantFrom('none', 'user', 'organization');
      await fc.assert(
        fc.asyncProperty(
          fc.infiniteStream(fc.nat()),
          fc.boolean(),
          endArbitrary,
          async (...generated) => {
            const [order, isParallel, end] = generated;
            [organizationId, subject] = [`org_${++subjectNumber}`, `user_${subjectNumber}`];
            const second = `${organizationId}_second`;
            const messages = [
              organizationEvent('Old', 1_000),
              organizationEvent('New', 5_000, 'updated'),
              provider.user({ kind: 'created', subject, at: 1_000 }),
              membershipCreated({ role: 'admin', at: 1_000 }),
              membershipChanged('updated', 2_000, 'viewer'),
              membershipChanged('deleted', 3_000),
              membershipCreated({ id: second, role: 'member', at: 4_000 }),
              membershipChanged('updated', 5_000, 'admin', second),
            ];
            if (end === 'user')
              messages.push(provider.user({ kind: 'deleted', subject, at: 1_500 }));
            if (end === 'organization') messages.push(organizationEvent('', 1_500, 'deleted'));
            const shuffled = [...messages, ...messages.slice(3)]
              .map((each) => ({ each, key: Number(order.next().value) }))
              .sort((a, b) => a.key - b.key)
              .map(({ each }) => each);
            if (isParallel) await Promise.all(shuffled.map((each) => deliver(each)));
            else await deliver(...shuffled);
            const workspace = await workspaceOf();
            expect(workspace?.name).toBe(end === 'organization' ? undefined : 'New');
            const members = await galley.database.query(
              `SELECT role FROM workspace_members JOIN users ON users.id = user_id WHERE subject = $1`,
              [subject],
            );
            expect(members).toEqual(end === 'none' ? [{ role: 'admin' }] : []);
            const [user] = await galley.database.query(
              'SELECT first_name, status FROM users WHERE subject = $1',
              [subject],
            );
            const deletedUser = { first_name: '', status: 'deleted' };
            expect(user).toEqual(
              end === 'user' ? deletedUser : { first_name: 'Ada', status: 'active' },
            );
          },
        ),
        { numRuns: 30 },
      );
    },
  );
});

it('admit only active members, not invited or deactivated ones', async () => {
  const galley = await startGalley({
    environment: { AUTH_WEBHOOK_PROVIDER: 'workos', AUTH_WEBHOOK_SECRET: workos.secret },
  });
  try {
    const sendMembershipStatus = async (status: string, at: number) => {
      const sentMessage = workos.membership?.({
        kind: 'updated',
        id: 'om_1',
        organization: 'org_1',
        subject: 'ada',
        role: 'admin',
        at,
      });
      const { id, body } = sentMessage ?? { id: '', body: '' };
      const changed = { id, body: body.replace('"status":"active"', `"status":"${status}"`) };
      expect((await send(galley.anonymous, workos, changed)).status).toBe(200);
      return galley.database.count('workspace_members');
    };
    expect(await sendMembershipStatus('pending', 1_000)).toBe(0);
    expect(await sendMembershipStatus('active', 2_000)).toBe(1);
    expect(await sendMembershipStatus('inactive', 3_000)).toBe(0);
    expect(await sendMembershipStatus('active', 4_000)).toBe(1);
  } finally {
    await galley.stop();
  }
});
