import {
  Inject,
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import type { WorkerConfig } from '#config';
import { IdempotencyKeys, Partitions } from '#database';
import { IdentityHousekeeping } from '#identity';
import { EndpointSecrets, Farewell, Turns } from '#webhooks';
import { Loop } from './loop.js';
import { WORKER_CONFIG } from './worker.config.js';

const HOUR_MS = 60 * 60 * 1000;

/** What needs doing now and then: letting go of what is past its time, room for what is to come, new keys. */
@Injectable()
export class HousekeepingService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly keptDays: number;
  private loop: Loop | undefined;

  constructor(
    @Inject(WORKER_CONFIG) config: WorkerConfig,
    private readonly partitions: Partitions,
    private readonly turns: Turns,
    private readonly secrets: EndpointSecrets,
    private readonly farewell: Farewell,
    private readonly identity: IdentityHousekeeping,
    private readonly keys: IdempotencyKeys,
  ) {
    this.keptDays = config.RETENTION_DAYS;
  }

  onApplicationBootstrap(): void {
    this.loop = new Loop('housekeeping', async () => {
      // Without them nothing could be relayed, so that nothing may come between.
      await this.partitions.create();
      // They may hold secrets, and what comes after may fail time and again.
      await this.keys.forget();
      // Before the events go, without which it could not be sent.
      await this.turns.forget(this.keptDays);
      await this.partitions.drop(this.keptDays);
      await this.secrets.encryptAnew();
      await this.farewell.complete();
      await this.identity.forget();
      return HOUR_MS;
    });
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop?.stop();
  }
}
