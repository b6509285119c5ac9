import { eventually } from '../eventually.js';
import type { Galley } from '../galley/galley.js';
import { createResource } from '../galley/resources.js';
import type { Client } from './client.js';

export interface Part {
  text: string;
  isMatch: boolean;
}
interface Result {
  id: string;
  kind: string;
  name: string;
  highlights: { name: Part[]; text: Part[][] };
}
interface Page {
  data: Result[];
  nextCursor: string | null;
}

/** Searches of a user in a Galley with a worker. Each one waits until the worker has stored the words of all documents. */
export function searchesOf(galley: Galley, client: Client) {
  const followed = () =>
    eventually('the search to follow', async () => {
      return (await galley.database.count('documents_to_index')) === 0;
    });
  const search = async (workspaceId: string, query: string, parameters = '') => {
    await followed();
    const url = `/api/search?workspaceId=${workspaceId}&query=${encodeURIComponent(query)}`;
    const response = await client.get<Page>(url + parameters);
    if (response.status !== 200) throw new Error(response.text);
    return response.body;
  };
  return {
    followed,
    search,
    namesOf: async (...request: Parameters<typeof search>) =>
      (await search(...request)).data.map(({ name }) => name),
    create: (workspaceId: string, name: string, text = '', kind = 'template') =>
      createResource(client, `/api/${kind}s`, { name, workspaceId, content: { text } }),
  };
}
