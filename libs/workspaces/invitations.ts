import type { Query } from '#database';
import { v7 as uuidv7 } from 'uuid';
import type { Actor } from './access.js';
import { INVITATION_ISSUER } from './internal-issuers.js';

/**
 * Addresses are compared without regard to case, as every large provider does. Of ASCII alone: other
 * letters would fold into these, and one address into that of somebody else.
 */
export const normalizeEmail = (email: string): string =>
  email.trim().replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/**
 * Invitations of an address wait for its first sign-in, and the other way round: else each could
 * miss the other. A statement of its own, since the next must see what was committed meanwhile.
 */
export const lockEmail = (query: Query, email: string): Promise<unknown> =>
  query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`galley ${email}`]);

// To delete the row would look through all that users have made for it.
export const SOFT_DELETE_USER = `UPDATE users SET subject = id::text, email = '', status = 'deleted'`;

/** Whether an address, as SQL, is or was a moment ago invited somewhere. */
export const hasInvitation = (emailSql: string): string =>
  `EXISTS (SELECT FROM users invited
     WHERE invited.issuer = '${INVITATION_ISSUER}' AND invited.subject = ${emailSql})`;

/** The active user with this verified address, or else one that stands for the address. */
export async function findOrInviteUser(query: Query, email: string): Promise<string> {
  const [, [user]] = await Promise.all([
    lockEmail(query, email),
    query<{ id: string }>(
      `WITH known AS (
         SELECT id FROM users
         WHERE verified_email = $1 AND status = 'active' AND kind = 'person'
         ORDER BY email_said_at DESC LIMIT 1
       ), invited AS (
         INSERT INTO users (id, issuer, subject, email, status)
         SELECT $2, '${INVITATION_ISSUER}', $1, $1, 'invited' WHERE NOT EXISTS (SELECT FROM known)
         ON CONFLICT (issuer, subject) DO UPDATE SET email = EXCLUDED.email RETURNING id
       )
       SELECT id FROM known UNION ALL SELECT id FROM invited`,
      [email, uuidv7()],
    ),
  ]);
  if (user === undefined) throw new Error('PostgreSQL gave no row for an upserted user.');
  return user.id;
}

/** Makes an active user a member wherever their address was invited. Its lock is held. */
export async function acceptInvitations(
  query: Query,
  { userId, ipAddress }: Actor,
  email: string,
): Promise<void> {
  // Before the members, as whoever deletes or closes a workspace locks them.
  await query(
    `SELECT FROM workspaces WHERE id IN (
       SELECT workspace_id FROM workspace_members
       WHERE user_id = (SELECT id FROM users WHERE issuer = '${INVITATION_ISSUER}' AND subject = $1)
     ) ORDER BY id FOR KEY SHARE`,
    [email],
  );
  await query(
    `WITH invited AS (
       SELECT id FROM users WHERE issuer = '${INVITATION_ISSUER}' AND subject = $3
     ), invitation AS (
       DELETE FROM workspace_members WHERE user_id = (SELECT id FROM invited)
       RETURNING workspace_id, role
     ), emptied AS (
       ${SOFT_DELETE_USER} WHERE id = (SELECT id FROM invited)
     ), joined AS (
       INSERT INTO workspace_members (workspace_id, user_id, role)
       SELECT workspace_id, $1, role FROM invitation ON CONFLICT DO NOTHING RETURNING workspace_id
     )
     INSERT INTO audit_entries (id, workspace_id, action, actor_id, address, target_id, details)
     SELECT uuidv7_at(now()), workspace_id,
       -- Who is a member already keeps the role, and the invitation is over.
       CASE WHEN joined.workspace_id IS NULL THEN 'member.removed' ELSE 'member.joined' END, $1, $2,
       CASE WHEN joined.workspace_id IS NULL THEN invited.id ELSE $1 END,
       json_build_object('role', role, 'invitation', invited.id)
     FROM invited CROSS JOIN invitation LEFT JOIN joined USING (workspace_id)`,
    [userId, ipAddress, email],
  );
}
