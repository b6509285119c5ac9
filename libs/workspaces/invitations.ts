import type { Query } from '#database';
import { v7 as uuidv7 } from 'uuid';
import type { Actor } from './access.js';
import { INVITATION_ISSUER } from './internal-issuers.js';

/**
 * Email addresses are compared case-insensitively, as every large provider does. Only the case of ASCII letters is
 * changed, because changing other letters could turn one person's address into another person's.
 */
export const normalizeEmail = (email: string): string =>
  email.trim().replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/**
 * Serialises the invitations and the first sign-in of an email address. Neither would see the other if they ran
 * concurrently. The lock is a separate statement, because the next statement must see what was committed during the
 * wait for the lock.
 */
export const lockEmail = (query: Query, email: string): Promise<unknown> =>
  query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`galley ${email}`]);

// Galley keeps the row, because deleting it would make PostgreSQL search for everything that refers to the user.
export const SOFT_DELETE_USER = `UPDATE users SET subject = id::text, email = '', status = 'deleted'`;

/**
 * An SQL condition that is true if an email address has a placeholder user. The first invitation of an address creates
 * the placeholder user. When no invitation is left, housekeeping deletes the user.
 */
export const hasInvitation = (emailSql: string): string =>
  `EXISTS (SELECT FROM users invited
     WHERE invited.issuer = '${INVITATION_ISSUER}' AND invited.subject = ${emailSql})`;

/**
 * Returns the id of the active user with this verified address. If there is none, returns the id of the placeholder
 * user of the address, and creates that user if necessary.
 */
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
  if (user === undefined) throw new Error('PostgreSQL returned no row for an upserted user.');
  return user.id;
}

/**
 * Adds an active user to every workspace that has invited the user's email address. The transaction must already hold
 * the lock of the address (`lockEmail`).
 */
export async function acceptInvitations(
  query: Query,
  { userId, ipAddress }: Actor,
  email: string,
): Promise<void> {
  // Locks workspaces before members. Transactions that delete or close a workspace lock in the same order.
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
       -- A user who is already a member keeps their current role, and the invitation is removed.
       CASE WHEN joined.workspace_id IS NULL THEN 'member.removed' ELSE 'member.joined' END, $1, $2,
       CASE WHEN joined.workspace_id IS NULL THEN invited.id ELSE $1 END,
       json_build_object('role', role, 'invitation', invited.id)
     FROM invited CROSS JOIN invitation LEFT JOIN joined USING (workspace_id)`,
    [userId, ipAddress, email],
  );
}
