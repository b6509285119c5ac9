import {
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { VersionPurge } from '#documents';
import { Loops, type Loop } from '#loops';

// The pause between two steps leaves database capacity for other work.
const PAUSE_MS = 20;
const IDLE_PAUSE_MS = 5_000;

/**
 * Purges the trash step by step, in a separate loop. A large purge therefore does not delay other housekeeping, and
 * other housekeeping does not delay the erasure of personal data.
 */
@Injectable()
export class PurgeLoop implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private loop: Loop | undefined;

  constructor(
    private readonly loops: Loops,
    private readonly purge: VersionPurge,
  ) {}

  onApplicationBootstrap(): void {
    this.loop = this.loops.start('purge', async () =>
      (await this.purge.step()) ? PAUSE_MS : IDLE_PAUSE_MS,
    );
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop?.stop();
  }
}
