import type { Query } from '#database';
import { INVITATION_ISSUER, normalizeEmail } from '#workspaces';

/**
 * A user as a member of one workspace. There is one row for each workspace of the user. A user without a workspace has
 * one row, in which the last three fields are null.
 */
export interface FoundUser {
  userId: string;
  kind: 'person' | 'key' | 'invitation';
  email: string;
  name: string;
  status: string;
  workspaceId: string | null;
  workspace: string | null;
  role: string | null;
}

// An API key is a row in `users` too, but its name is in `api_keys`.
const selectMemberships = (users: string): string => `
  SELECT person.id AS "userId", person.email, person.status, member.workspace_id AS "workspaceId",
    CASE WHEN person.issuer = '${INVITATION_ISSUER}' THEN 'invitation' ELSE person.kind END AS kind,
    coalesce(key.name, trim(person.first_name || ' ' || person.last_name)) AS name,
    workspace.name AS workspace, member.role
  FROM (${users}) person
  LEFT JOIN api_keys key ON key.user_id = person.id
  LEFT JOIN LATERAL (
    SELECT workspace_id, role FROM workspace_members WHERE user_id = person.id
      AND ($3::uuid IS NULL OR workspace_id = $3) ORDER BY workspace_id LIMIT $2
  ) member ON true
  LEFT JOIN workspaces workspace ON workspace.id = member.workspace_id
  ORDER BY person.id, member.workspace_id LIMIT $2`;

const BY_ID = selectMemberships('SELECT * FROM users WHERE id = $1::uuid');
// Only verified email addresses are indexed.
const BY_EMAIL = selectMemberships(`SELECT * FROM users WHERE verified_email = $1
  UNION ALL SELECT * FROM users WHERE issuer = '${INVITATION_ISSUER}' AND subject = $1`);
const OF_WORKSPACE = selectMemberships(`SELECT stored.* FROM (
    SELECT user_id FROM workspace_members WHERE workspace_id = $3 ORDER BY user_id LIMIT $2
  ) member CROSS JOIN LATERAL (SELECT * FROM users WHERE id = member.user_id LIMIT 1) stored
  WHERE $1::text IS NULL`);

/** Finds users by id, by verified email address, or by workspace. All three searches use an index. */
export function findUsers(
  query: Query,
  { user, workspaceId, limit }: { user?: string; workspaceId?: string; limit: number },
): Promise<FoundUser[]> {
  if (user === undefined) return query(OF_WORKSPACE, [null, limit, workspaceId]);
  return user.includes('@')
    ? query(BY_EMAIL, [normalizeEmail(user), limit, workspaceId ?? null])
    : query(BY_ID, [user, limit, workspaceId ?? null]);
}
