import {
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { KeyRotation } from '#key-rotation';
import { EndpointSecrets } from '#webhooks';
import { Loops, type Loop } from '#loops';

// The pause between two checks while some programs have not noticed yet that another key was promoted.
const WAITING_PAUSE_MS = 1_000;
// The pause before the next attempt if some secrets still need an old key, because they changed while they were being
// re-encrypted.
const INCOMPLETE_PAUSE_MS = 5 * 60_000;
const HOUR_MS = 60 * 60 * 1000;

/**
 * After a key is promoted, re-encrypts the secrets and headers of webhooks, counts the webhooks that still need each
 * key, and retires the keys that no webhook needs.
 */
@Injectable()
export class ReencryptionLoop implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private loop: Loop | undefined;

  constructor(
    private readonly loops: Loops,
    private readonly keys: KeyRotation,
    private readonly secrets: EndpointSecrets,
  ) {
    keys.onPromotion(() => this.loop?.wake());
  }

  onApplicationBootstrap(): void {
    this.loop = this.loops.start('reencrypt', () => this.step());
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop?.stop();
  }

  private async step(): Promise<number> {
    // The long pause does no harm, because `onPromotion` wakes this loop as soon as the problem is solved.
    if (this.keys.findProblem() !== undefined) return HOUR_MS;
    const { closedIds, isWaiting } = await this.keys.closeOldKeys();
    if (isWaiting) return WAITING_PAUSE_MS;
    const counts = await this.secrets.reencrypt();
    await this.keys.storeCounts(counts, closedIds);
    return closedIds.some((id) => counts.has(id)) ? INCOMPLETE_PAUSE_MS : HOUR_MS;
  }
}
