import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import {
  Inject,
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { LogThrottle } from '#config';
import { CompleteDatabase, Database } from '#database';
import { KeyRing } from '#encryption';
import { settledWithin } from '#shutdown';
import { EndedPrograms } from './ended-programs.js';
import * as statements from './key-rotation.sql.js';
import type { RotationState } from './key-rotation.sql.js';

export const PROGRAM_NAME = Symbol('program name');

/** Tests set shorter times before the program starts. */
export const KEY_ROTATION_TIMES = {
  beatMs: 5_000,
  // 24 missed beats take two minutes, which is long on purpose. A promotion that waits too long does no harm, but a
  // promotion that does not wait for a running program does.
  missedBeats: 24,
};

// PostgreSQL normally responds within milliseconds. A program that has not signed off counts as ended after it has
// missed some beats, so a shutdown need not wait for an unresponsive PostgreSQL.
const SIGN_OFF_MS = 2_000;

const KEY_MISSING =
  'SECRETS_KEYS lacks a key that stored secrets still need: add that key to the end of SECRETS_KEYS.';
const ACTIVE_KEY_MISSING =
  'SECRETS_KEYS lacks the key that encrypts new data: add that key, and put it first, unless you want the first key of the list to replace it.';
const ALSO_MISSING =
  'Some stored secrets are still encrypted with another key: add that key to the end of SECRETS_KEYS. Its id is';
const NOT_CHECKED = 'SECRETS_KEYS has not been compared with the keys in the database yet.';

/**
 * Decides together with all other programs which key of SECRETS_KEYS encrypts new data (docs/adr/0031). Each program
 * registers with the keys that it knows, and reports regularly that it is running. A key becomes active when it is the
 * first key of all running programs.
 */
@Injectable()
export class KeyRotation implements OnModuleInit, BeforeApplicationShutdown {
  private readonly logger = new Logger(KeyRotation.name);
  private readonly failures = new LogThrottle();
  private readonly id = randomUUID();
  private readonly ended = new EndedPrograms(KEY_ROTATION_TIMES.missedBeats);
  private readonly listeners = new Set<() => void>();
  private problem: string | undefined = NOT_CHECKED;
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private isStopped = false;
  private waitingKeyId: string | undefined;

  constructor(
    @Inject(PROGRAM_NAME) private readonly program: string,
    private readonly database: Database,
    private readonly ring: KeyRing,
    private readonly completeDatabase: CompleteDatabase,
  ) {}

  /** Waits for the first report, so that the program knows which key to encrypt with before it accepts requests. */
  async onModuleInit(): Promise<void> {
    await this.run();
  }

  /** Returns a message for operators if this program lacks a key that it needs, or has not compared its keys yet. */
  findProblem(): string | undefined {
    return this.problem;
  }

  /** Calls `listener` whenever a different key becomes active. */
  onPromotion(listener: () => void): void {
    this.listeners.add(listener);
  }

  /**
   * Closes the keys with which no program encrypts any more.
   * @returns the ids of closed keys, and whether some programs have yet to notice a promotion.
   */
  async closeOldKeys(): Promise<{ closedIds: string[]; isWaiting: boolean }> {
    await this.database.query(statements.CLOSE_OLD_KEYS);
    const keys = await this.database.query<{ id: string; state: string }>(
      statements.SELECT_OLD_KEYS,
    );
    return {
      closedIds: keys.filter(({ state }) => state === 'closed').map(({ id }) => id),
      isWaiting: keys.some(({ state }) => state === 'old'),
    };
  }

  /**
   * Stores how many webhooks need each key, and retires closed keys that no webhook needs.
   * @param closedIds the keys that were closed before the count began.
   */
  async storeCounts(
    counts: ReadonlyMap<string, number>,
    closedIds: readonly string[],
  ): Promise<void> {
    const values = [[...counts.keys()], [...counts.values()], closedIds];
    await this.database.query(statements.STORE_COUNTS, values);
  }

  /** Deregisters the program in this phase of the shutdown, because the next phase closes the database connections. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    await settledWithin(SIGN_OFF_MS, this.signOff());
  }

  private async signOff(): Promise<void> {
    await this.running;
    await this.database
      .query(statements.DEREGISTER, [this.id])
      .catch((error: unknown) => this.logFailure(error));
  }

  private async run(): Promise<void> {
    this.running = this.beat().catch((error: unknown) => this.logFailure(error));
    await this.running;
    if (this.isStopped) return;
    this.timer = setTimeout(() => void this.run(), KEY_ROTATION_TIMES.beatMs).unref();
  }

  private async beat(): Promise<void> {
    let state = await this.report();
    if (!state.isRegistered || state.activeKeyId === null) {
      await this.register();
      state = await this.report();
    }
    this.applyState(state);
    if (!state.isRegistered) return;
    const others = state.programs.filter(({ id }) => id !== this.id);
    for (const { id, beats } of this.ended.find(others)) {
      await this.database.query(statements.REMOVE_ENDED, [id, beats]);
    }
    if (state.activeKeyId !== this.firstKeyId) await this.promote(state);
    else this.waitingKeyId = undefined;
  }

  private get firstKeyId(): string {
    return this.ring.ids[0] ?? '';
  }

  private async report(): Promise<RotationState> {
    const [state] = await this.database.query<RotationState>(statements.BEAT, [
      this.id,
      this.ring.activeId,
      this.ring.ids,
    ]);
    if (state === undefined) throw new Error('A statement without FROM returned no row.');
    return state;
  }

  private async register(): Promise<void> {
    await this.database.pipeline(
      [statements.LOCK_KEYS, []],
      [statements.ACTIVATE_FIRST_KEY, [this.firstKeyId]],
      [statements.REGISTER, [this.id, this.program, hostname(), this.ring.ids]],
    );
  }

  private async promote({ programs }: RotationState): Promise<void> {
    const keyId = this.firstKeyId;
    const waitingCount = programs.filter(({ firstKeyId }) => firstKeyId !== keyId).length;
    if (waitingCount > 0) {
      if (this.waitingKeyId !== keyId) {
        this.logger.log(
          { stage: 'keys', keyId, count: waitingCount },
          'The first key of SECRETS_KEYS is not used for encryption yet, because it is not the first key of all running programs.',
        );
      }
      this.waitingKeyId = keyId;
      return;
    }
    const promoted = await this.database.pipeline(
      [statements.LOCK_KEYS, []],
      [statements.DEMOTE, [keyId, this.id]],
      [statements.PROMOTE, [keyId]],
    );
    if (promoted.length === 0) return;
    this.applyState(await this.report());
  }

  private applyState({ isRegistered, activeKeyId, missingKeyIds }: RotationState): void {
    const isComplete = isRegistered && missingKeyIds.length === 0;
    const keyId = isComplete && activeKeyId !== null ? activeKeyId : undefined;
    const previousProblem = this.problem;
    if (keyId !== undefined) this.problem = undefined;
    else if (missingKeyIds.length > 0) {
      this.problem = describeMissing(missingKeyIds, activeKeyId);
      // Logs the problem as well, because the readiness of this program may not be monitored.
      if (this.problem !== previousProblem) this.logger.error({ stage: 'keys' }, this.problem);
    }
    if (keyId === this.ring.activeId) return;
    this.ring.activate(keyId);
    if (keyId === undefined) return;
    this.logger.log(
      { stage: 'keys', keyId },
      'New data is now encrypted with this key of SECRETS_KEYS.',
    );
    for (const listener of this.listeners) listener();
  }

  private logFailure(error: unknown): void {
    // While the database is incomplete, `CompleteDatabase` logs the reason.
    if (!this.completeDatabase.isComplete) return;
    this.failures.log((count) =>
      this.logger.warn(
        { err: error, stage: 'keys', count },
        'The keys in SECRETS_KEYS could not be compared with the keys in the database; the program will try again.',
      ),
    );
  }
}

function describeMissing(missingKeyIds: readonly string[], activeKeyId: string | null): string {
  const others = missingKeyIds.filter((id) => id !== activeKeyId);
  const otherIds = others.join(', ');
  if (others.length === missingKeyIds.length) {
    return `${KEY_MISSING} The id of the key is ${otherIds}.`;
  }
  const active = `${ACTIVE_KEY_MISSING} The id of the key is ${activeKeyId}.`;
  return others.length === 0 ? active : `${active} ${ALSO_MISSING} ${otherIds}.`;
}
