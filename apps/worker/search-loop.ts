import {
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Database } from '#database';
import { SearchIndexer } from '#documents';
import { MODULE } from '#modules';
import { TEMPLATE } from '#templates';
import type { Loop } from './loops/loop.js';
import { Loops } from './loops/loops.js';

// A pause leaves the database to other work between two steps.
const PAUSE_MS = 20;
// Services of the release before may run on after the first pass.
const PASS_PAUSE_MS = 24 * 60 * 60 * 1000;

/** Makes old documents findable: a pass over all documents when the worker starts, and one each day. */
@Injectable()
export class SearchLoop implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly indexer: SearchIndexer;
  private loop: Loop | undefined;

  constructor(
    private readonly loops: Loops,
    database: Database,
  ) {
    this.indexer = new SearchIndexer(database, [TEMPLATE, MODULE]);
  }

  onApplicationBootstrap(): void {
    this.loop = this.loops.start('search', async () =>
      (await this.indexer.step()) ? PAUSE_MS : PASS_PAUSE_MS,
    );
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop?.stop();
  }
}
