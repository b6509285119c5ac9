import type { TrashedDocument } from '#documents';
import type { Client } from './client.js';

/** A `TrashedDocument` as the API returns it. */
type TrashEntry = Record<keyof TrashedDocument, string> & { version: number };

export interface TrashPage {
  data: TrashEntry[];
  nextCursor: string | null;
}

export const listTrash = async (client: Client, workspaceId: string, query = '') =>
  (await client.get<TrashPage>(`/api/trash?workspaceId=${workspaceId}${query}`)).body;

export const restore = (client: Client, id: string) =>
  client.post<{ id: string; version: number; updatedAt: string }>(`/api/trash/${id}/restore`);

export const purge = (client: Client, id: string) => client.delete(`/api/trash/${id}`);
