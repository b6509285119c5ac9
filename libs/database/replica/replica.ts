import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { settledWithin } from '#shutdown';
import { Pool, type ClientBase, type PoolClient } from 'pg';
import { dataSourceOptions, type DatabaseOptions } from '../connection/data-source.js';
import { queryOn } from '../connection/statements.js';
import type { Database } from '../database.js';
import {
  SELECT_PRIMARY,
  SELECT_REPLICA,
  type PrimaryState,
  type ReplicaState,
} from './server-state.sql.js';
import { parseWalPosition, type WalPosition } from './wal-position.js';

const CHECK_INTERVAL_MS = 1_000;
// A replica normally responds within a millisecond. This timeout also limits how long a read can hang before it moves
// to the primary.
const CHECK_TIMEOUT_MS = 2_000;
/** A replica that lacks a commit older than this is not used. */
export const MAX_LAG_MS = 10_000;
const STOP_TIMEOUT_MS = 1_000;
// These samples cover a minute. Older ones are not needed, because a replica that is a minute behind is not used.
const KEPT_SAMPLES = 60;

interface Sample {
  /** When the statement was sent, by the clock of this process. All earlier commits are below `position`. */
  takenAt: number;
  position: WalPosition;
}

/** Thrown if a read must run on the primary. The replica may still be healthy. */
export class PrimaryRequired extends Error {
  override readonly name = 'PrimaryRequired';
}

/**
 * A streaming standby for reads, and whether it can be used. Once a second, this class samples the WAL position of the
 * primary, and asks the replica for the position that it has replayed. So the lag is measured with one clock, and the
 * replica of an idle primary does not appear to lag.
 */
export class Replica {
  private readonly logger = new Logger(Replica.name);
  private readonly pool: Pool;
  /** A separate pool, so that a check never waits for reads. */
  private readonly checkPool: Pool;
  private readonly stopped = new AbortController();
  private readonly rejectReads = new Set<(error: Error) => void>();
  /** Increases when the replica fails. Connections of an earlier generation may be dead, and are closed. */
  private generation = 0;
  private readonly generations = new WeakMap<ClientBase, number>();
  private samples: Sample[] = [];
  private primaryIdentity: string | undefined;
  /** The newest sample whose position the replica has replayed. Until there is such a sample, the lag is infinite. */
  private replayed: Sample = { takenAt: -Infinity, position: 0n };
  /** The position that the replica had reached at the latest check. */
  private position: WalPosition | undefined;
  /**
   * Whether the replica had already passed the position that the primary reported afterwards. If so, their histories
   * have diverged: the primary was restored from a backup, or failed over to a server that was further behind.
   * Undefined until it is known.
   */
  private isAhead: boolean | undefined;
  private problem: string | undefined = 'The replica has not been checked yet.';
  private wasUsable = false;
  private isLogged = false;

  constructor(
    options: DatabaseOptions,
    private readonly database: Database,
  ) {
    const { url, poolSize, applicationName, extra } = dataSourceOptions(options);
    const poolOptions = { ...extra, connectionString: url, application_name: applicationName };
    const connectionTimeoutMillis = CHECK_TIMEOUT_MS;
    this.pool = new Pool({ ...poolOptions, connectionTimeoutMillis, max: poolSize });
    this.checkPool = new Pool({
      ...poolOptions,
      connectionTimeoutMillis,
      max: 1,
      // Ends the connection of a check that gets no response.
      query_timeout: CHECK_TIMEOUT_MS,
    });
    // The loss of an idle connection is not logged: the next check or read opens another connection, or reports the
    // error.
    for (const pool of [this.pool, this.checkPool]) pool.on('error', () => undefined);
    this.pool.on('connect', (client) => this.generations.set(client, this.generation));
  }

  get isUsable(): boolean {
    return this.problem === undefined && this.lagMs <= MAX_LAG_MS;
  }

  /**
   * The upper bound of the replica's lag: the replica has every commit that is older than this. Accurate to about a
   * second; infinite if unknown.
   */
  get lagMs(): number {
    return performance.now() - this.replayed.takenAt;
  }

  /**
   * A WAL position that the replica had replayed by the latest check. If several servers share the address, another one
   * may be further behind.
   */
  get replayedPosition(): WalPosition {
    return this.replayed.position;
  }

  start(): void {
    void this.repeat(() => this.samplePrimary());
    void this.repeat(() => this.check());
  }

  async stop(): Promise<void> {
    this.stopped.abort();
    // Closing the pools waits for reads that hang on a silent replica.
    await settledWithin(STOP_TIMEOUT_MS, Promise.all([this.pool.end(), this.checkPool.end()]));
  }

  /** Runs statements on a connection to the replica. Rejects immediately if a check finds that the replica is gone. */
  read<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.rejectReads.add(reject);
      void this.withClient(work)
        .then(resolve, reject)
        .finally(() => this.rejectReads.delete(reject));
    });
  }

  /** Takes the replica out of use until a check succeeds. */
  fail(problem: string, error?: unknown): void {
    this.problem = problem;
    this.generation++;
    this.logChange(error);
    for (const reject of this.rejectReads) reject(new PrimaryRequired(problem));
  }

  private async withClient<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await this.connect();
    let isHealthy = false;
    try {
      const result = await work(client);
      isHealthy = true;
      return result;
    } finally {
      // A connection that returned no result is closed, because it may lead to a former replica.
      client.release(!isHealthy);
    }
  }

  private async connect(): Promise<PoolClient> {
    for (;;) {
      const client = await this.pool.connect();
      if (this.generations.get(client) === this.generation) return client;
      client.release(true);
    }
  }

  private async repeat(work: () => Promise<void>): Promise<void> {
    const { signal } = this.stopped;
    while (!signal.aborted) {
      await work();
      await delay(CHECK_INTERVAL_MS, undefined, { ref: false, signal }).catch(() => undefined);
    }
  }

  private async samplePrimary(): Promise<void> {
    const takenAt = performance.now();
    const { position: replicaPosition } = this;
    // Without new samples, the measured lag grows, and after a while the replica is no longer used.
    const [state] = await this.database.query<PrimaryState>(SELECT_PRIMARY).catch(() => []);
    if (state === undefined) return;
    this.primaryIdentity = state.identity;
    const position = parseWalPosition(state.position);
    if (replicaPosition !== undefined) this.isAhead = position < replicaPosition;
    this.samples = [{ takenAt, position }, ...this.samples.slice(0, KEPT_SAMPLES - 1)];
  }

  private async check(): Promise<void> {
    try {
      const [state] = await this.readState();
      if (!state?.isStandby) {
        this.fail('DATABASE_REPLICA_URL does not point to a standby.');
        return;
      }
      const { primaryIdentity, isAhead } = this;
      this.position = parseWalPosition(state.position);
      if (primaryIdentity === undefined || isAhead === undefined) return;
      if (state.identity !== primaryIdentity) {
        this.fail('The replica is a copy of another database.');
        return;
      }
      if (isAhead) {
        this.fail('The replica has data that its primary lacks: rebuild the replica.');
        return;
      }
      const { position } = this;
      this.replayed = this.samples.find((sample) => sample.position <= position) ?? this.replayed;
      this.problem = undefined;
      this.logChange();
    } catch (error) {
      if (!this.stopped.signal.aborted) this.fail('The replica does not respond.', error);
    }
  }

  private async readState(): Promise<ReplicaState[]> {
    const client = await this.checkPool.connect();
    let isHealthy = false;
    try {
      const rows = await queryOn(client)<ReplicaState>(SELECT_REPLICA);
      isHealthy = rows[0]?.isStandby === true;
      return rows;
    } finally {
      client.release(!isHealthy);
    }
  }

  private logChange(error?: unknown): void {
    const { isUsable, problem } = this;
    if (isUsable === this.wasUsable && this.isLogged) return;
    this.wasUsable = isUsable;
    this.isLogged = true;
    if (isUsable) {
      this.logger.log({ stage: 'replica' }, 'Reads go to the replica.');
      return;
    }
    const lag = Number.isFinite(this.lagMs) ? `${Math.round(this.lagMs / 1_000)} s` : 'too far';
    const reason = problem ?? `The replica is ${lag} behind.`;
    this.logger.warn({ err: error, stage: 'replica' }, `${reason} Reads go to the primary.`);
  }
}
