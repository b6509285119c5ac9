import { randomUUID } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { settledWithin } from '#shutdown';
import type { Database } from './database.js';

const ACQUIRE = `INSERT INTO leases AS lease (name, holder, expires_at)
  VALUES ($1, $2, now() + $3 * interval '1 second')
  ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at
    WHERE lease.holder = excluded.holder OR lease.expires_at <= now()
  RETURNING name`;
const RELEASE = 'DELETE FROM leases WHERE name = $1 AND holder = $2';
// If PostgreSQL does not respond, a shutdown waits this long at most.
const RELEASE_MS = 2_000;

/**
 * Lets only one process at a time do some work. The holder keeps the lease by renewing it in time. If the holder dies,
 * the lease expires, and another process can acquire it.
 */
export class Lease {
  private readonly holder = randomUUID();
  private heldUntil = -Infinity;

  constructor(
    private readonly database: Database,
    private readonly name: string,
    private readonly seconds: number,
  ) {}

  /** Whether this process still holds the lease, according to its own clock. */
  get isHeld(): boolean {
    return performance.now() < this.heldUntil;
  }

  /** Acquires or renews the lease. Returns false if another process holds the lease. */
  async acquire(): Promise<boolean> {
    // The time is taken before the statement, so that the lease never ends earlier in PostgreSQL than in this process.
    const startedAt = performance.now();
    const values = [this.name, this.holder, this.seconds];
    const isAcquired = (await this.database.query(ACQUIRE, values)).length > 0;
    this.heldUntil = isAcquired ? startedAt + this.seconds * 1_000 : -Infinity;
    return isAcquired;
  }

  /** Releases the lease. If this fails or takes long, the lease expires by itself. */
  async release(): Promise<void> {
    if (!this.isHeld) return;
    this.heldUntil = -Infinity;
    const released = this.database
      .query(RELEASE, [this.name, this.holder])
      .catch((error: unknown) =>
        new Logger(Lease.name).warn(
          { err: error, stage: 'lease', lease: this.name },
          'The lease was not released; it expires by itself.',
        ),
      );
    await settledWithin(RELEASE_MS, released);
  }
}
