import { createHash } from 'node:crypto';
import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { runInSlices } from '#time-slices';
import { DomainError, MAX_DETAILS, type ErrorDetail } from '#errors';
import { LRUCache } from 'lru-cache';
import type { Piscina } from 'piscina';
import type { CheckResult, CheckSource, Refusal, RuleName } from './checks/index.js';
import type { ImportFormat } from './conversion/index.js';
import type { CompiledDocument, Source } from './drawing/index.js';
import {
  inboxTexts,
  resultFormats,
  type InboxText,
  type RenderWarning,
  type ResultFormat,
} from './document/index.js';
import { MAX_VARIABLES, Personalisation, type MergeData } from './personalisation/index.js';
import type { ReadTask, TranslationsRead, WriteTask, Written } from './translations/index.js';
import {
  fillDefaults,
  type BreakingChange,
  type ComparedVariables,
  type ValidationSource,
} from './variables/index.js';
import {
  IMPORT_TASK,
  loadOf,
  RENDER_TASK,
  SCHEMA_TASK,
  startPool,
  threadFiles,
  toDomainError,
  type ThreadTask,
} from './thread-task.js';
import { RenderJob, type WaitingRequest } from './render-job.js';
import { Turns, type LaneName } from './turns.js';

// In memory, a program occupies up to three times its serialised size, because a program consists of small objects. The
// HTML of a newsletter has about 50,000 characters, so about 400 newsletters fit into the cache.
const MAX_CACHE_BYTES = 64 * 1024 * 1024;
const BYTES_IN_MEMORY = 3;

/** The token of the public URL of the API, which NestJS injects into the renderer. */
export const PUBLIC_URL = Symbol('PUBLIC_URL');

const logger = new Logger('Rendering');

/**
 * The variables of a document, such as `user.name` and `order.items[].price`. `used` and `missing`
 * contain at most 1,000 names each.
 */
export interface Variables {
  /** All variables of the document. */
  used: string[];
  /** Variables that have no value in the data. They include lists, and merge tags that have no default. */
  missing: string[];
}

/** The results in the formats that were asked for, and the texts for the list of emails that the document has. */
export interface RenderedDocument extends Partial<Record<ResultFormat | InboxText, string>> {
  warnings: RenderWarning[];
  variables: Variables;
  /** The language of which the email has texts, if a language was asked for; null if that is not known. */
  language?: string | null;
}

export interface RenderRequest {
  /**
   * Returns the tenant: the id of a workspace, or the id of a user if the document is in no workspace. The threads are
   * shared among tenants. Called only if a thread is needed.
   */
  tenant: () => string | Promise<string>;
  waiting?: WaitingRequest | undefined;
}

/**
 * Renders and checks documents in threads, because MJML would block the event loop. `Turns` shares the threads among
 * tenants. The most recently used renderings are cached. The cache key is derived from the content, including the
 * contents of modules, so cached renderings never become outdated.
 */
@Injectable()
export class Renderer implements OnApplicationShutdown {
  private readonly pools: Partial<Record<LaneName, Piscina>> = {};
  private readonly turns = new Turns();

  /**
   * The renderings in progress, by tenant and cache key. Simultaneous requests of a tenant for the same document share
   * a rendering.
   */
  private readonly jobs = new Map<string, RenderJob<CompiledDocument>>();
  private readonly cache = new LRUCache<string, CompiledDocument>({
    maxSize: MAX_CACHE_BYTES,
    sizeCalculation: ({ size }) => size * BYTES_IN_MEMORY,
  });

  /** @param publicUrl the public URL of the API; undefined if it is unknown. */
  constructor(@Inject(PUBLIC_URL) private readonly publicUrl?: string) {}

  /**
   * @param data the data of a recipient; without data, merge tags are kept as written.
   * @throws DomainError `invalid` if the document cannot be drawn, or cannot be filled with this data;
   * `too_many_requests` if too many documents of the tenant are waiting; `unavailable` if the threads are too busy, or
   * if the document takes too long.
   */
  async render(
    source: Source,
    request: RenderRequest,
    data?: MergeData,
  ): Promise<RenderedDocument> {
    const key = keyOf(source);
    const compiled = this.cache.get(key) ?? (await this.compile(key, source, request));
    return runInSlices(fill(compiled, data));
  }

  /**
   * Compares the data of a recipient with the variables that the document declares.
   *
   * @throws DomainError `invalid` if the data does not fit; and in the same cases as `render`.
   */
  async validate(source: ValidationSource, request: RenderRequest): Promise<void> {
    const { problems } = await this.runInTurn<{ problems: ErrorDetail[] }>(
      threadFiles.validate,
      source,
      request,
      SCHEMA_TASK,
    );
    const [first] = problems;
    if (first === undefined) return;
    const message = `The data does not fit the variables of the document: ${first.path} ${first.message}.`;
    throw new DomainError('invalid', message, problems.slice(0, MAX_DETAILS));
  }

  /**
   * Writes the variables that a document declares as TypeScript.
   *
   * @throws DomainError in the same cases as `render`.
   */
  async types(source: { content: string }, request: RenderRequest): Promise<string> {
    const { types } = await this.runInTurn<{ types: string }>(
      threadFiles.types,
      source,
      request,
      SCHEMA_TASK,
    );
    return types;
  }

  /**
   * Lists the changes of the variables by which data that fitted before may not fit any more.
   *
   * @throws DomainError in the same cases as `render`.
   */
  breakingChanges(
    task: ComparedVariables,
    request: RenderRequest,
  ): Promise<{ changes: BreakingChange[] }> {
    return this.runInTurn(threadFiles.breakingChanges, task, request, SCHEMA_TASK);
  }

  /**
   * Reads the translations of a document.
   *
   * @throws DomainError in the same cases as `render`.
   */
  readTranslations(task: ReadTask, request: RenderRequest): Promise<TranslationsRead> {
    return this.runInTurn(threadFiles.translations, task, request);
  }

  /**
   * Stores translations in a document.
   *
   * @returns the changed document as JSON.
   * @throws DomainError `invalid` if a translation does not match the document; and in the same cases as `render`.
   */
  async writeTranslations(task: WriteTask, request: RenderRequest): Promise<string> {
    const written = await this.runInTurn<Written>(threadFiles.translations, task, request);
    if ('content' in written) return written.content;
    const [first] = written.problems;
    const message = `Nothing was stored, because the translations do not match the document: ${first?.path} – ${first?.message}.`;
    throw new DomainError('invalid', message, written.problems.slice(0, MAX_DETAILS));
  }

  /** @throws DomainError in the same cases as `render`. */
  check(source: CheckSource, request: RenderRequest): Promise<CheckResult<RuleName>> {
    return this.runInTurn(threadFiles.check, source, request);
  }

  /**
   * Turns a content of another program into a document.
   *
   * @param source has the content as JSON: an object, or a string.
   * @returns the document and the report, as JSON.
   * @throws DomainError in the same cases as `render`.
   */
  async convert(
    source: { format: ImportFormat; content: string },
    request: RenderRequest,
  ): Promise<string> {
    const { convert } = threadFiles;
    return (await this.runInTurn<{ imported: string }>(convert, source, request, IMPORT_TASK))
      .imported;
  }

  /** Runs a function in a thread as soon as the turn of the tenant comes. */
  private async runInTurn<Result extends object>(
    filename: string,
    source: { content: string },
    { tenant, waiting }: RenderRequest,
    task: ThreadTask = RENDER_TASK,
  ): Promise<Result> {
    const turn = this.turns.take(await tenant(), await loadOf(source, task));
    const work = () => this.run<Result>(turn.lane, filename, source, task);
    return new RenderJob(turn, work).wait(waiting);
  }

  private async compile(
    key: string,
    source: Source,
    { tenant, waiting }: RenderRequest,
  ): Promise<CompiledDocument> {
    // Tenants do not share a job, even for the same document. Otherwise, one tenant would wait for another tenant's
    // turn.
    const tenantId = await tenant();
    const ownKey = `${tenantId} ${key}`;
    const load = await loadOf(source);
    // An `await` between looking up a job and starting a new one would let two requests start the same job.
    let job = this.jobs.get(ownKey);
    if (!job) {
      const turn = this.turns.take(tenantId, load);
      const work = async () => {
        const compiled =
          this.cache.get(key) ??
          (await this.run<CompiledDocument>(turn.lane, threadFiles.compile, source));
        this.cache.set(key, compiled);
        return compiled;
      };
      job = new RenderJob(turn, work, () => this.jobs.delete(ownKey));
      this.jobs.set(ownKey, job);
    }
    return job.wait(waiting);
  }

  private async run<Result extends object>(
    lane: LaneName,
    filename: string,
    source: object,
    task: ThreadTask = RENDER_TASK,
  ): Promise<Result> {
    // The first request starts the threads, because many API processes never render.
    const pool = (this.pools[lane] ??= startPool(this.turns.threadsOf(lane), lane));
    try {
      const signal = AbortSignal.timeout(task.deadlineMs);
      const withUrl = { ...source, publicUrl: this.publicUrl };
      const result = (await pool.run(withUrl, { filename, signal })) as Result | Refusal;
      if ('reason' in result) throw task.refuse(result.reason);
      if ('dataProblem' in result) throw DomainError.invalid('data', result.dataProblem);
      return result;
    } catch (error) {
      if (error instanceof DomainError) throw error;
      logger.warn({ err: error, stage: 'render' });
      const isTimeout = (error as Error).name === 'AbortError';
      const known = isTimeout ? task.tooSlow() : toDomainError(error, task);
      throw Object.assign(known, { cause: error });
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(Object.values(this.pools).map((pool) => pool.destroy()));
  }
}

const keyOf = ({ content, title, format, client, language }: Source): string =>
  createHash('sha256')
    .update(JSON.stringify([format, title, client, language]))
    .update(content)
    .digest('base64');

function* fill(
  { programs, warnings, locale, defaults, language }: CompiledDocument,
  given: MergeData | undefined,
): Generator<void, RenderedDocument> {
  const used = new Set<string>();
  const data = given && defaults ? yield* fillDefaults(given, defaults) : given;
  const run = new Personalisation(data, locale);
  const results: Partial<Record<ResultFormat | InboxText, string>> = {};
  for (const name of [...inboxTexts, ...resultFormats]) {
    const program = programs[name];
    if (program === undefined) continue;
    results[name] = yield* run.fillInSteps(program);
    program.variables.forEach((name) => used.add(name));
  }
  const namesIn = (names: Set<string>) => Array.from(names).slice(0, MAX_VARIABLES);
  return {
    ...results,
    ...(language !== undefined && { language }),
    warnings,
    variables: { used: namesIn(used), missing: namesIn(run.missing) },
  };
}
