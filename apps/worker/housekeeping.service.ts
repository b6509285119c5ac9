import {
  Inject,
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import type { WorkerConfig } from '#config';
import { IdempotencyKeys, Partitions } from '#database';
import { IdentityHousekeeping } from '#identity';
import { WorkspaceHousekeeping } from '#workspaces';
import { OrphanedEndpoints, PendingDeliveries } from '#webhooks';
import { Loops, type Loop } from '#loops';
import { WORKER_CONFIG } from './worker.config.js';

const HOUR_MS = 60 * 60 * 1000;

/** Once an hour, creates the next partitions, deletes expired rows and drops expired partitions. */
@Injectable()
export class HousekeepingService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly retentionDays: number;
  private readonly auditRetentionDays: number;
  private loop: Loop | undefined;

  constructor(
    @Inject(WORKER_CONFIG) config: WorkerConfig,
    private readonly loops: Loops,
    private readonly partitions: Partitions,
    private readonly pendingDeliveries: PendingDeliveries,
    private readonly orphanedEndpoints: OrphanedEndpoints,
    private readonly identity: IdentityHousekeeping,
    private readonly workspaces: WorkspaceHousekeeping,
    private readonly idempotencyKeys: IdempotencyKeys,
  ) {
    this.retentionDays = config.RETENTION_DAYS;
    this.auditRetentionDays = config.AUDIT_RETENTION_DAYS;
  }

  onApplicationBootstrap(): void {
    this.loop = this.loops.start('housekeeping', async () => {
      // First, because the relay cannot store events without partitions.
      await this.partitions.createAhead();
      // Early, because stored responses may contain secrets. If an earlier step failed every time, the later steps
      // would never run.
      await this.idempotencyKeys.deleteExpired();
      // Before the partitions of events are dropped, because a delivery cannot be sent without its event.
      await this.pendingDeliveries.deleteExpired(this.retentionDays);
      await this.partitions.dropExpired(this.retentionDays);
      await this.orphanedEndpoints.deleteFinished();
      await this.identity.purge();
      await this.workspaces.purge(this.auditRetentionDays);
      return HOUR_MS;
    });
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop?.stop();
  }
}
