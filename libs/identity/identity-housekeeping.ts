import { Injectable } from '@nestjs/common';
import { Database } from '#database';

// No provider retries a message for this long. Even if one did, an old message would not overwrite newer data.
const MESSAGE_RETENTION_DAYS = 30;

/** Deletes the ids of provider messages that no provider will send again. */
@Injectable()
export class IdentityHousekeeping {
  constructor(private readonly database: Database) {}

  async purge(): Promise<void> {
    await this.database.query(
      `DELETE FROM identity_provider_messages
       WHERE received_at < now() - interval '${MESSAGE_RETENTION_DAYS} days'`,
    );
  }
}
