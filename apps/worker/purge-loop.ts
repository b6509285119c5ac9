import {
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { VersionPurge } from '#documents';
import { Loops, type Loop } from '#loops';

// A pause leaves the database to other work between two steps.
const PAUSE_MS = 20;
const IDLE_PAUSE_MS = 5_000;

/**
 * Purges the trash step by step, in a loop of its own. So a large purge does not delay other housekeeping, and other
 * housekeeping does not delay the erasure of personal data.
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
