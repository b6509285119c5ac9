import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { DomainError } from '#errors';
import { Piscina } from 'piscina';
import type { CompiledDocument, Source } from './compile.js';

// A document of 28 KB takes some 20 ms, one of 5,000 blocks half a second.
const DEADLINE_MS = 10_000;
// Admission shares the API among its callers and bounds how many requests wait here. This bound is a safety
// net for the memory.
const MAX_WAITING = 100;
const MAX_HEAP_MB = 256;
const IDLE_TIMEOUT_MS = 60_000;

// Jest runs the sources, and a thread needs the built code.
const isSource = import.meta.url.endsWith('.ts');
const COMPILE = new URL(
  isSource ? '../../dist/libs/rendering/compile.js' : './compile.js',
  import.meta.url,
);

type Pool = Piscina<Source, CompiledDocument | { reason: string }>;

const logger = new Logger('Rendering');

/** Renders documents in threads, because MJML would block the event loop. */
@Injectable()
export class Renderer implements OnApplicationShutdown {
  private pool: Pool | undefined;

  /**
   * @throws DomainError `invalid` for a document that cannot be drawn; `unavailable` if the threads are too
   * busy, or the document takes too long.
   */
  async render(source: Source): Promise<CompiledDocument> {
    // The first request starts the threads: many APIs never render.
    this.pool ??= startPool();
    try {
      const signal = AbortSignal.timeout(DEADLINE_MS);
      const compiled = await this.pool.run(source, { signal });
      if ('reason' in compiled) throw cannotRender(compiled.reason);
      return compiled;
    } catch (error) {
      if (error instanceof DomainError) throw error;
      logger.warn({ err: error, stage: 'render' });
      throw Object.assign(toDomainError(error), { cause: error });
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool?.destroy();
  }
}

function startPool(): Pool {
  const pool: Pool = new Piscina({
    filename: fileURLToPath(COMPILE),
    // If a thread ends, Piscina starts another one for the waiting documents only if there is a minimum.
    minThreads: 1,
    // One processor stays free for the event loop.
    maxThreads: Math.max(1, availableParallelism() - 1),
    maxQueue: MAX_WAITING,
    idleTimeout: IDLE_TIMEOUT_MS,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  });
  // Without a listener, a thread that cannot start would end the process.
  pool.on('error', (error: Error) => logger.error({ err: error, stage: 'render thread' }));
  return pool;
}

const cannotRender = (reason: string): DomainError =>
  DomainError.invalid('content', `The document cannot be rendered: ${reason}`);

function toDomainError(error: unknown): DomainError {
  const { name, code, message } = error as Error & { code?: string };
  if (code === 'ERR_WORKER_OUT_OF_MEMORY') {
    return cannotRender(`it needs more than ${MAX_HEAP_MB} MB of memory.`);
  }
  if (name === 'AbortError') {
    return DomainError.unavailable(
      `The document was not rendered within ${DEADLINE_MS / 1_000} seconds. Retry in a moment; if that does not help, make the document smaller.`,
    );
  }
  if (/queue is at limit|worker exited|Terminating worker/.test(message)) {
    return DomainError.unavailable('The document was not rendered. Retry in a moment.');
  }
  throw error;
}
