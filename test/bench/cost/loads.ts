import { emailDocument } from '../content/documents.js';
import type { Installation } from '../harness.js';
import type { Load } from '../load.js';

export const KB = 1_000;

export async function createTemplate({ client, workspaceId }: Installation): Promise<string> {
  const content = emailDocument(10 * KB);
  const { body } = await client.post<{ id: string }>('/api/templates', {
    name: 'Welcome',
    workspaceId,
    content,
  });
  return body.id;
}

export const readLoad = ({ url, token }: Installation, id: string): Load => ({
  url: `${url}/api/templates/${id}`,
  method: 'GET',
  token,
});

export const listLoad = ({ url, token, workspaceId }: Installation): Load => ({
  url: `${url}/api/templates?workspaceId=${workspaceId}&content=false&limit=50`,
  method: 'GET',
  token,
});
