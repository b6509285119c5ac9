import type { ApiResponse } from './api-response.js';
import type { Client } from './client.js';

export interface Kind {
  name: 'template' | 'module';
  path: string;
  /** The required fields in addition to the name. */
  required: object;
}

export const kinds: Kind[] = [
  { name: 'template', path: '/api/templates', required: {} },
  { name: 'module', path: '/api/modules', required: { content: {} } },
];

interface Resource {
  id: string;
  name: string;
  workspaceId: string;
  version?: number;
  updatedAt: string;
}

export interface Result {
  action: string;
  id?: string;
  template?: Resource;
  module?: Resource;
}

export interface BatchResponse {
  data: Result[];
  message: string;
  details?: { path: string; message: string }[];
}

export const sendBatch = (
  client: Client,
  { path }: Kind,
  workspaceId: string,
  operations: readonly unknown[],
): Promise<ApiResponse<BatchResponse>> => client.post(`${path}/batch`, { workspaceId, operations });

/** The resource of a result; a deletion returns only the id. */
export const resourceOf = ({ id = '', template, module }: Result): Resource =>
  template ?? module ?? { id, name: '', workspaceId: '', updatedAt: '' };

/** Creates `count` resources one by one, and returns their ids. */
export async function createMany(
  client: Client,
  { path, required }: Kind,
  workspaceId: string,
  count: number,
): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < count) {
    const body = { workspaceId, name: 'A', ...required };
    ids.push((await client.post<Resource>(path, body)).body.id);
  }
  return ids;
}
