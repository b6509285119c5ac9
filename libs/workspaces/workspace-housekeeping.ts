import { Injectable } from '@nestjs/common';
import { Database, noEvent, UnitOfWork, untilShortChunk } from '#database';
import { SOFT_DELETE_USER } from './invitations.js';

// A statement that deletes this many entries takes about 10 ms, and locks only these rows of the audit log.
const AUDIT_CHUNK_SIZE = 1_000;

/** Deletes expired audit entries, and placeholder users without an invitation. */
@Injectable()
export class WorkspaceHousekeeping {
  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** @param auditRetentionDays 0 keeps all audit entries. */
  async purge(auditRetentionDays: number): Promise<void> {
    if (auditRetentionDays > 0) await this.deleteExpiredEntries(auditRetentionDays);
    await this.softDeleteUninvitedUsers();
  }

  private async deleteExpiredEntries(retentionDays: number): Promise<void> {
    await untilShortChunk(AUDIT_CHUNK_SIZE, async () => {
      // Skips locked rows, which another worker is deleting.
      const deleted = await this.database.query(
        `DELETE FROM audit_entries WHERE ctid = ANY (ARRAY(
           SELECT ctid FROM audit_entries WHERE occurred_at < now() - $1 * interval '1 day'
           LIMIT ${AUDIT_CHUNK_SIZE} FOR UPDATE SKIP LOCKED
         ))
         RETURNING 1`,
        [retentionDays],
      );
      return deleted.length;
    });
  }

  /** Soft-deletes the placeholder users whose address is no longer invited anywhere. */
  private async softDeleteUninvitedUsers(): Promise<void> {
    await this.unitOfWork.write(async ({ query }) => {
      // A concurrent invitation of one of these users waits for this lock. An invitation may have committed just before
      // the lock, so the second statement checks again.
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
