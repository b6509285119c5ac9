import { createWorkspace, type Workspace } from '#client';
import { Client } from '../api/client.js';

/** A Galley as its users see it. */
export interface RunningGalley {
  url: string;
  /** A client that acts as the user with this name; the client's first request creates the user. */
  clientFor(name: string): Promise<Client>;
  anonymous: Client;
  /** Creates a workspace that the named user owns. */
  createWorkspaceFor(name: string): Promise<Workspace>;
}

export function runningGalley(
  url: string,
  tokenOf: (name: string) => Promise<string>,
): RunningGalley {
  const clientFor = async (name: string) => new Client(url, await tokenOf(name));
  return {
    url,
    clientFor,
    anonymous: new Client(url),
    createWorkspaceFor: async (name) => {
      const { generated: client } = await clientFor(name);
      const { data } = await createWorkspace({ client, body: { name: `${name}'s` } });
      return data;
    },
  };
}
