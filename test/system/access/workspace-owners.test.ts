import { afterAll, beforeAll, expect, it } from '@jest/globals';
import pg from 'pg';
import { eventually } from '../../support/eventually.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';
import { itRaces } from '../../support/it-races.js';

let galley: Galley;
beforeAll(async () => {
  galley = await startGalley();
});
afterAll(() => galley.stop());

const idOf = async (name: string) => {
  const client = await galley.clientFor(name);
  return (await client.get<{ user: { id: string } }>('/api/auth/me')).body.user.id;
};
const deactivate = (id: string) =>
  galley.database.query("UPDATE users SET status = 'deactivated' WHERE id = $1", [id]);

it('a deactivated owner stays an owner, whom no admin can demote; without an active owner an admin appoints one', async () => {
  const ada = await galley.clientFor('ada');
  const workspace = await galley.createWorkspaceFor('ada');
  const members = `/api/workspaces/${workspace.id}/members`;
  const [adaId, bobId, carolId] = [await idOf('ada'), await idOf('bob'), await idOf('carol')];
  await ada.post(members, { userId: bobId, role: 'admin' });
  await ada.post(members, { userId: carolId, role: 'owner' });
  const bob = await galley.clientFor('bob');

  await deactivate(carolId);
  expect((await bob.delete(`${members}/${carolId}`)).status).toBe(403);
  expect((await bob.put(`${members}/${bobId}`, { role: 'owner' })).status).toBe(403);
  // Carol is deactivated, so ada is the last active owner.
  expect((await ada.delete(`${members}/${adaId}`)).status).toBe(409);

  await deactivate(adaId);
  expect((await bob.put(`${members}/${bobId}`, { role: 'owner' })).status).toBe(200);
  expect((await bob.delete(`${members}/${carolId}`)).status).toBe(204);
});

itRaces(
  'of two owners who leave at once, one stays, whatever the default isolation of the database',
  async () => {
    const repeatableReadGalley = await startGalley({
      proxyDatabase: async (url) => {
        const admin = new pg.Client(url);
        await admin.connect();
        const name = pg.escapeIdentifier(admin.database ?? '');
        await admin.query(
          `ALTER DATABASE ${name} SET default_transaction_isolation = 'repeatable read'`,
        );
        await admin.end();
        return url;
      },
    });
    const { id } = await repeatableReadGalley.createWorkspaceFor('ada');
    const members = `/api/workspaces/${id}/members`;
    const owners = await Promise.all(
      ['ada', 'bob'].map(async (name) => {
        const client = await repeatableReadGalley.clientFor(name);
        return {
          client,
          ...(await client.get<{ user: { id: string } }>('/api/auth/me')).body.user,
        };
      }),
    );
    const [ada, bob] = owners;
    await ada?.client.post(members, { userId: bob?.id, role: 'owner' });
    const releaseLock = await repeatableReadGalley.database.holdLock(
      'SELECT FROM workspaces WHERE id = $1 FOR UPDATE',
      [id],
    );
    const pendingRemovals = owners.map(({ client, id: userId }) =>
      client.delete(`${members}/${userId}`),
    );
    await eventually('both requests to wait for the lock', async () => {
      const lockWaiters = `pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      return (await repeatableReadGalley.database.count(lockWaiters)) === 2;
    });
    await releaseLock();
    const statuses = (await Promise.all(pendingRemovals)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([204, 409]);
    await repeatableReadGalley.stop();
  },
);
