import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startGalley, type Galley } from '../support/galley.js';

let galley: Galley;
beforeAll(async () => {
  galley = await startGalley();
});
afterAll(() => galley.stop());

const idOf = async (name: string) => {
  const client = await galley.as(name);
  return (await client.get<{ user: { id: string } }>('/api/auth/me')).body.user.id;
};
const suspend = (id: string) =>
  galley.database.query("UPDATE users SET status = 'deactivated' WHERE id = $1", [id]);

it('a suspended owner is an owner still, whom no admin unmakes; without an active one an admin names one', async () => {
  const ada = await galley.as('ada');
  const workspace = await galley.workspaceOf('ada');
  const members = `/api/workspaces/${workspace.id}/members`;
  const [adaId, bobId, carolId] = [await idOf('ada'), await idOf('bob'), await idOf('carol')];
  await ada.post(members, { userId: bobId, role: 'admin' });
  await ada.post(members, { userId: carolId, role: 'owner' });
  const bob = await galley.as('bob');

  await suspend(carolId);
  expect((await bob.delete(`${members}/${carolId}`)).status).toBe(403);
  expect((await bob.put(`${members}/${bobId}`, { role: 'owner' })).status).toBe(403);
  // Carol cannot act, so that ada is the last owner who can.
  expect((await ada.delete(`${members}/${adaId}`)).status).toBe(409);

  await suspend(adaId);
  expect((await bob.put(`${members}/${bobId}`, { role: 'owner' })).status).toBe(200);
  expect((await bob.delete(`${members}/${carolId}`)).status).toBe(204);
});
