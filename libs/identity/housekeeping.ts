import { Injectable } from '@nestjs/common';
import { Database, noEvent, UnitOfWork } from '#database';
import { emptyInvited } from './invitations.js';

// Auditors look back a year; a month more lets them be late.
const AUDIT_DAYS = 396;
// No provider sends a message again that late, and one that did would change nothing that is newer.
const MESSAGE_DAYS = 30;

/** Lets go of what nobody needs any more. */
@Injectable()
export class IdentityHousekeeping {
  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async forget(): Promise<void> {
    const { query } = this.database;
    await query(
      `DELETE FROM audit_entries WHERE occurred_at < now() - interval '${AUDIT_DAYS} days'`,
    );
    await query(
      `DELETE FROM identity_provider_messages
       WHERE received_at < now() - interval '${MESSAGE_DAYS} days'`,
    );
    await this.forgetUninvited();
  }

  /** Addresses that are invited nowhere any more. */
  private async forgetUninvited(): Promise<void> {
    await this.unitOfWork.write(async ({ query }) => {
      // Whoever invites one of them meanwhile waits; who has just done so is seen by the second statement.
      const candidates = await query<{ id: string }>(
        `SELECT id FROM users WHERE status = 'invited'
           AND NOT EXISTS (SELECT FROM workspace_members WHERE user_id = users.id)
         FOR UPDATE SKIP LOCKED`,
      );
      await query(
        `${emptyInvited} WHERE id = ANY ($1)
           AND NOT EXISTS (SELECT FROM workspace_members WHERE user_id = users.id)`,
        [candidates.map(({ id }) => id)],
      );
      return noEvent(undefined, 'users have no events');
    });
  }
}
