import {
  listKeys,
  listMembers,
  listWebhooks,
  paginate,
  type ApiKey,
  type Member,
  type Webhook,
} from '#client';
import { useQuery } from '@tanstack/react-query';
import { useClient } from '../../api/client.js';
import { useWorkspaceId } from '../../api/workspaces.js';

/** The possible actors and targets of audit entries. Most entries name their target only by its id. */
export interface ActorsAndTargets {
  members: readonly Member[];
  keys: readonly ApiKey[];
  webhooks: readonly Webhook[];
}

const NOTHING: ActorsAndTargets = { members: [], keys: [], webhooks: [] };

/** Reads all members, API keys and webhooks of the workspace; empty lists until then. */
export function useActorsAndTargets(): ActorsAndTargets {
  const client = useClient();
  const id = useWorkspaceId();
  const { data = NOTHING } = useQuery({
    queryKey: ['actors-and-targets', id],
    staleTime: 0,
    queryFn: async ({ signal }): Promise<ActorsAndTargets> => {
      const options = { client, path: { id }, query: { limit: 100 }, signal };
      const query = { workspaceId: id, limit: 100 };
      const [members, keys, webhooks] = await Promise.all([
        readAll(paginate(listMembers, options)),
        readAll(paginate(listKeys, options)),
        readAll(paginate(listWebhooks, { client, query, signal })),
      ]);
      return { members, keys, webhooks };
    },
  });
  return data;
}

async function readAll<Row>(list: AsyncIterable<Row>): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const row of list) rows.push(row);
  return rows;
}
