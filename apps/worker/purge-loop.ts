import {
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { AssetPurge } from '#assets';
import { VersionPurge } from '#documents';
import { Loops, type Loop } from '#loops';

// The pause between two steps leaves database capacity for other work.
const PAUSE_MS = 20;
const IDLE_PAUSE_MS = 5_000;

/**
 * Purges the trash step by step, in separate loops: one for documents, and one for pictures, whose storage may hang. A large purge therefore does not delay other housekeeping, and
 * other housekeeping does not delay the erasure of personal data.
 */
@Injectable()
export class PurgeLoop implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private startedLoops: Loop[] = [];

  constructor(
    private readonly loops: Loops,
    private readonly versions: VersionPurge,
    private readonly assets: AssetPurge,
  ) {}

  onApplicationBootstrap(): void {
    this.startedLoops = [this.versions, this.assets].map((purge) =>
      this.loops.start('purge', async () => ((await purge.step()) ? PAUSE_MS : IDLE_PAUSE_MS)),
    );
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.startedLoops.map((loop) => loop.stop()));
  }
}
