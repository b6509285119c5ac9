import { randomUUID } from 'node:crypto';
import type { Actor, Role } from '#workspaces';
import type { PreparedDatabase } from './prepared-database.js';

/** Creates a user with a role in a workspace. */
export async function createMember(
  database: PreparedDatabase,
  workspaceId: string,
  role: Role,
): Promise<Actor> {
  const userId = randomUUID();
  await database.insert('users', { id: userId, issuer: 'https://issuer.example', subject: userId });
  await database.insert('workspace_members', { workspace_id: workspaceId, user_id: userId, role });
  return { userId, ipAddress: null };
}
