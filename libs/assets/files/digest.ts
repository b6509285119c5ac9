import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';

/**
 * The digest of a picture, which is part of its public URL. The workspace is part of the digest, for two reasons: two
 * workspaces with the same picture must be able to delete it independently, and nobody must be able to find out whether
 * another workspace has a certain picture.
 */
export async function digestOf(workspaceId: string, file: string): Promise<string> {
  const hash = createHash('sha256').update(`${workspaceId}\n`);
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
