import type { Client } from '../api/client.js';
import type { Galley } from './galley.js';

export interface Person {
  client: Client;
  id: string;
}

/** Users by their names, who have been here before. */
export async function peopleOf<Name extends string>(
  galley: Galley,
  names: readonly Name[],
): Promise<Record<Name, Person>> {
  const people = names.map(async (name): Promise<[string, Person]> => {
    const client = await galley.as(name);
    const { body } = await client.get<{ user: { id: string } }>('/api/auth/me');
    return [name, { client, id: body.user.id }];
  });
  return Object.fromEntries(await Promise.all(people)) as Record<Name, Person>;
}
