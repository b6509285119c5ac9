import { Injectable } from '@nestjs/common';
import { Database, noEvent, UnitOfWork } from '#database';
import { SOFT_DELETE_USER } from './invitations.js';

// Audits look back a year; another month is for auditors who are late.
const AUDIT_RETENTION_DAYS = 396;

/** Deletes old audit entries, and placeholder users without an invitation. */
@Injectable()
export class WorkspaceHousekeeping {
  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async purge(): Promise<void> {
    await this.database.query(
      `DELETE FROM audit_entries WHERE occurred_at < now() - interval '${AUDIT_RETENTION_DAYS} days'`,
    );
    await this.softDeleteUninvitedUsers();
  }

  /** Soft-deletes the placeholder users whose address has no invitation any more. */
  private async softDeleteUninvitedUsers(): Promise<void> {
    await this.unitOfWork.write(async ({ query }) => {
      // A concurrent invitation of one of these users waits for this lock. An invitation may have committed
      // just before the lock, so the second statement checks again.
      const candidates = await query<{ id: string }>(
        `SELECT id FROM users WHERE status = 'invited'
           AND NOT EXISTS (SELECT FROM workspace_members WHERE user_id = users.id)
         FOR UPDATE SKIP LOCKED`,
      );
      await query(
        `${SOFT_DELETE_USER} WHERE id = ANY ($1)
           AND NOT EXISTS (SELECT FROM workspace_members WHERE user_id = users.id)`,
        [candidates.map(({ id }) => id)],
      );
      return noEvent(undefined, 'users have no events');
    });
  }
}
