import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { DomainError } from '#errors';
import { Piscina } from 'piscina';
import type { CompiledDocument, Source } from './compile.js';

// A document of 28 KB takes some 20 ms, one of 5,000 blocks about a second.
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

const logger = new Logger('Rendering');

/** Renders documents in threads, because MJML would block the event loop. */
@Injectable()
export class Renderer implements OnApplicationShutdown {
  private readonly pool = new Piscina<Source, CompiledDocument | { reason: string }>({
    filename: fileURLToPath(COMPILE),
    minThreads: 0,
    // One processor stays free for the event loop.
    maxThreads: Math.max(1, availableParallelism() - 1),
    maxQueue: MAX_WAITING,
    idleTimeout: IDLE_TIMEOUT_MS,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  });

  /**
   * @throws DomainError `invalid` for a document that cannot be drawn, and `unavailable` if the threads are too busy, or the document takes too long.
   */
  async render(source: Source): Promise<CompiledDocument> {
    const compiled = await this.compile(source);
    if ('html' in compiled) return compiled;
    const message = `The document cannot be rendered: ${compiled.reason}`;
    throw DomainError.invalid('content', message);
  }

  private async compile(source: Source): Promise<CompiledDocument | { reason: string }> {
    try {
      return await this.pool.run(source, { signal: AbortSignal.timeout(DEADLINE_MS) });
    } catch (error) {
      const reason = reasonOf(error);
      logger.warn({ err: error, stage: 'render', length: source.content.length }, reason);
      throw Object.assign(DomainError.unavailable(reason), { cause: error });
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.destroy();
  }
}

function reasonOf(error: unknown): string {
  const { name, code, message } = error as Error & { code?: string };
  if (name === 'AbortError') {
    return `The document was not rendered within ${DEADLINE_MS / 1_000} seconds. Retry in a moment; if that does not help, make the document smaller.`;
  }
  if (code === 'ERR_WORKER_OUT_OF_MEMORY') {
    return `The document needs more than ${MAX_HEAP_MB} MB of memory. Make the document smaller.`;
  }
  if (message.includes('queue is at limit')) {
    return 'Too many documents are being rendered. Retry in a moment.';
  }
  throw error;
}
