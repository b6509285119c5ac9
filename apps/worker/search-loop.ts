import {
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Database, Lease } from '#database';
import { SearchIndexer } from '#documents';
import { JobQueue } from '#queue';
import { Loops, type Loop } from '#loops';

// The maximum lag of the search index after a lost signal.
const IDLE_PAUSE_MS = 5_000;
const NOT_LEADING_PAUSE_MS = 2_000;
// After a step with few documents, the loop waits this long, so that the next step indexes more documents together.
const MIN_PAUSE_MS = 100;
const FEW_DOCUMENTS = 20;
const LEASE_SECONDS = 6;
const RENEW_AFTER_MS = 2_000;

/**
 * Updates the search index with changed documents, shortly after the changes have committed. Only one worker at a time
 * updates the index, because two workers would index the same documents.
 */
@Injectable()
export class SearchLoop implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly indexer: SearchIndexer;
  private readonly lease: Lease;
  private renewAt = -Infinity;
  private loop: Loop | undefined;
  private slices: Loop | undefined;
  private isListening = false;
  private isIdle = false;

  constructor(
    private readonly loops: Loops,
    private readonly jobs: JobQueue,
    database: Database,
  ) {
    this.indexer = new SearchIndexer(database);
    this.lease = new Lease(database, 'search', LEASE_SECONDS);
  }

  onApplicationBootstrap(): void {
    this.loop = this.loops.start('search', () => this.step());
    // A separate loop fills the slices of the index, because PostgreSQL takes about 200 ms to fill a slice. In that
    // time, the first loop can run two steps.
    this.slices = this.loops.start('search', () => this.fillSlice());
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all([this.loop?.stop(), this.slices?.stop()]);
    await this.lease.release();
  }

  private async step(): Promise<number> {
    // Set before the query, so that a signal that arrives during the query wakes this loop. Such a signal may report a
    // change that the query does not see.
    this.isIdle = true;
    this.isIdle = !(await this.indexer.hasQueued());
    this.listen();
    if (this.isIdle) return IDLE_PAUSE_MS;
    if (!(await this.holdsLease())) return NOT_LEADING_PAUSE_MS;
    const count = await this.indexer.step();
    if (count > 0) this.slices?.wake();
    return count < FEW_DOCUMENTS ? MIN_PAUSE_MS : 0;
  }

  private async fillSlice(): Promise<number> {
    return (await this.indexer.fillSlice()) ? 0 : Infinity;
  }

  /**
   * Subscribes only after the first statement has succeeded, because without Redis, the signals come through
   * PostgreSQL.
   */
  private listen(): void {
    if (this.isListening) return;
    this.isListening = true;
    this.jobs.onSignal(() => {
      if (this.isIdle) this.loop?.wake();
    });
  }

  private async holdsLease(): Promise<boolean> {
    if (this.lease.isHeld && performance.now() < this.renewAt) return true;
    this.renewAt = performance.now() + RENEW_AFTER_MS;
    return this.lease.acquire();
  }
}
