import type { Client } from '../api/client.js';
import type { RunningGalley } from './running-galley.js';

export interface TestUser {
  client: Client;
  id: string;
}

/** Signs in each user once, which creates the user. Returns the users by name. */
export async function signInUsers<Name extends string>(
  galley: RunningGalley,
  names: readonly Name[],
): Promise<Record<Name, TestUser>> {
  const users = names.map(async (name): Promise<[string, TestUser]> => {
    const client = await galley.clientFor(name);
    const { body } = await client.get<{ user: { id: string } }>('/api/auth/me');
    return [name, { client, id: body.user.id }];
  });
  return Object.fromEntries(await Promise.all(users)) as Record<Name, TestUser>;
}
