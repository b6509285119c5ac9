import { Injectable } from '@nestjs/common';
import { Database, noEvent, UnitOfWork } from '#database';
import { eraseFromAuditLog, INVITATION_ISSUER, lockEmail, normalizeEmail } from '#workspaces';

interface PersonRow {
  id: string;
  verifiedEmail: string | null;
}

interface Erasure {
  userIds: string[];
  /** How many audit log entries contained an IP address or an email address of the person. */
  changedEntries: number;
}

/**
 * Erases what Galley stores about a person. The ids of the person's users remain, because versions,
 * publications and the audit log refer to them.
 */
@Injectable()
export class UserErasure {
  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Given an id, erases the user and the invitations for the user's verified email address. Given an email address,
   * erases all users and invitations with that address. An interrupted erasure can be repeated.
   */
  async erase(idOrEmail: string): Promise<Erasure> {
    const persons = await this.findPersons(idOrEmail);
    const userIds = persons.map(({ id }) => id);
    // Even if no user has the address, the audit log may contain an invitation for the address.
    const given = idOrEmail.includes('@') ? [idOrEmail] : [];
    const verified = persons.flatMap(({ verifiedEmail }) => verifiedEmail ?? []);
    const emails = [...new Set([...given, ...verified].map(normalizeEmail))];
    // Access ends first, so that no request of the person adds further entries to the audit log.
    await this.endAccess(userIds, emails);
    const { changedEntries, workspaceIds } = await eraseFromAuditLog(
      this.database,
      userIds,
      emails,
    );
    await this.eraseProfiles(userIds, [...workspaceIds]);
    return { userIds, changedEntries };
  }

  /** If given an email address, scans all users, because unverified addresses are not indexed. */
  private async findPersons(idOrEmail: string): Promise<PersonRow[]> {
    const isEmail = idOrEmail.includes('@');
    const columns = `id, verified_email AS "verifiedEmail"`;
    const persons = await this.database.query<PersonRow>(
      isEmail
        ? `SELECT ${columns} FROM users WHERE kind = 'person' AND $1 IN (lower(email COLLATE "C"), verified_email)`
        : `SELECT ${columns} FROM users WHERE kind = 'person' AND id = $1`,
      [isEmail ? normalizeEmail(idOrEmail) : idOrEmail],
    );
    if (isEmail) return persons;
    const emails = persons.flatMap(({ verifiedEmail }) => verifiedEmail ?? []);
    const invitations = await this.database.query<PersonRow>(
      `SELECT ${columns} FROM users
       WHERE issuer = '${INVITATION_ISSUER}' AND subject = ANY ($1) AND id <> ALL ($2)`,
      [emails, persons.map(({ id }) => id)],
    );
    return [...persons, ...invitations];
  }

  private async endAccess(userIds: readonly string[], emails: readonly string[]): Promise<void> {
    await this.unitOfWork.write(async ({ query }) => {
      // Sorted, so that two erasures do not deadlock.
      for (const email of [...emails].sort()) await lockEmail(query, email);
      await query(`UPDATE users SET status = 'deleted' WHERE id = ANY ($1)`, [userIds]);
      await query(
        `WITH membership AS (
           DELETE FROM workspace_members WHERE user_id = ANY ($1) RETURNING *
         )
         INSERT INTO audit_entries (id, workspace_id, action, target_id, details)
         SELECT uuidv7_at(now()), workspace_id, 'member.erased', user_id,
           json_build_object('role', role)
         FROM membership`,
        [userIds],
      );
      return noEvent(undefined, 'users have no events');
    });
  }

  private async eraseProfiles(
    userIds: readonly string[],
    changedWorkspaceIds: readonly string[],
  ): Promise<void> {
    const [firstId] = userIds;
    if (firstId === undefined) return;
    await this.unitOfWork.write(async ({ query }) => {
      // These rows contain the ids that the identity provider uses for the person.
      await query(
        `DELETE FROM provider_memberships WHERE ctid = ANY (ARRAY(
           SELECT membership.ctid FROM provider_memberships membership JOIN users
             ON users.issuer = membership.issuer AND users.subject = membership.subject
           WHERE users.id = ANY ($1)
         ))`,
        [userIds],
      );
      // The entry explains why IP addresses are missing from the audit log. If the person was still a member of a
      // workspace, the workspace already has such an entry.
      await query(
        `INSERT INTO audit_entries (id, workspace_id, action, target_id, details)
         SELECT uuidv7_at(now()), changed, 'member.erased', $3, '{}'
         FROM unnest($2::uuid[]) changed
         WHERE 0 = (
           SELECT count(*) FROM (
             SELECT FROM audit_entries WHERE workspace_id = changed AND action = 'member.erased'
               AND target_id = ANY ($1::uuid[]) LIMIT 1
           ) entry
         )`,
        [userIds, changedWorkspaceIds, firstId],
      );
      await query('DELETE FROM idempotency_keys WHERE user_id = ANY ($1)', [userIds]);
      await query(
        `UPDATE users SET subject = id::text, email = '', first_name = '', last_name = '',
           verified_email = NULL, email_said_at = NULL, provider_event_id = '', updated_at = now()
         WHERE id = ANY ($1)`,
        [userIds],
      );
      return noEvent(undefined, 'users have no events');
    });
  }
}
