import { setTimeout as delay } from 'node:timers/promises';
import { Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { DomainError } from '#errors';
import type { PoolClient } from 'pg';
import { sqlState } from '../connection/sql-state.js';
import { queryOn, type Query } from '../connection/statements.js';
import type { Database } from '../database.js';
import type { CallerPositions } from './caller-positions.js';
import { PrimaryRequired, type Replica } from './replica.js';
import { maxPosition, parseWalPosition, type WalPosition } from './wal-position.js';

/** The caller on whose behalf a read runs. */
export interface Reader {
  readonly userId: string;
  /** Whether the caller asks for the latest state, including other callers' changes. */
  readonly needsLatest?: boolean;
}

/**
 * The methods of `Database` that a read may use. A pipeline takes locks or reads a low watermark, so it always runs on
 * the primary.
 */
export type ReadDatabase = Pick<Database, 'query' | 'pipeline'>;

export interface ReplicaParts {
  replica: Replica;
  /** The WAL positions that the replica must have reached before callers may read from it. */
  positions: CallerPositions;
}

interface ReplayState {
  isStandby: boolean;
  position: string;
}

const SELECT_POSITION = `SELECT pg_is_in_recovery() AS "isStandby", pg_last_wal_replay_lsn() AS position`;

// serialization_failure, deadlock_detected and query_canceled.
const CANCELLED_CODES = new Set(['40001', '40P01', '57014']);
// The longest time that a caller waits, after a write, for the WAL position of the primary.
const POSITION_TIMEOUT_MS = 1_000;

/**
 * Runs reads on the replica if there is one, and otherwise on the primary. Callers always see their own changes. In the
 * same round trip, each read on the replica also asks for the replica's WAL position. The result is used only if the
 * replica has replayed everything that the caller has written.
 *
 * A read that fails on the replica runs again on the primary. So no caller gets a 404 for a resource that the replica
 * does not have yet, and a faulty replica only costs time.
 */
export class Reads implements OnModuleInit, OnApplicationShutdown {
  /** How many reads each server has served. */
  readonly counts = { replica: 0, primary: 0 };
  private readonly logger = new Logger('Replica');
  private isFailing = false;

  constructor(
    private readonly database: Database,
    private readonly parts?: ReplicaParts,
  ) {}

  onModuleInit(): void {
    this.parts?.replica.start();
    this.parts?.positions.connect();
  }

  async onApplicationShutdown(): Promise<void> {
    this.parts?.positions.disconnect();
    await this.parts?.replica.stop();
  }

  get hasReplica(): boolean {
    return this.parts !== undefined;
  }

  /** The upper bound of the replica's lag; undefined if there is no replica. */
  get lagMs(): number | undefined {
    return this.parts?.replica.lagMs;
  }

  /** @param work may run twice, on two servers. */
  run<T>(reader: Reader, work: (database: ReadDatabase) => Promise<T>): Promise<T> {
    return this.parts === undefined
      ? work(this.database)
      : this.runOnBest(this.parts, reader, work);
  }

  private async runOnBest<T>(
    parts: ReplicaParts,
    reader: Reader,
    work: (database: ReadDatabase) => Promise<T>,
  ): Promise<T> {
    if (parts.replica.isUsable && reader.needsLatest !== true) {
      try {
        const result = await this.runOnReplica(parts, reader, work);
        this.counts.replica++;
        this.isFailing = false;
        return result;
      } catch (error) {
        const result = await this.readPrimary(reader, work);
        // If the read also fails on the primary, the primary's error is thrown. An unexpected error that occurs only on
        // the replica is logged.
        if (!isExpected(error)) this.logFailure(error);
        return result;
      }
    }
    return this.readPrimary(reader, work);
  }

  /**
   * Ensures that later reads of the caller, in any API process, see everything that is committed now. Never throws,
   * because the caller's work has already succeeded.
   */
  async remember(userId: string): Promise<void> {
    if (this.parts === undefined) return;
    const rows = this.database
      .query<{ position: string }>(`SELECT pg_current_wal_insert_lsn() AS position`)
      .catch(() => []);
    const noRows = delay(POSITION_TIMEOUT_MS, [], { ref: false });
    const [row] = await Promise.race([rows, noRows]);
    await this.parts.positions.remember(userId, row && parseWalPosition(row.position));
  }

  private runOnReplica<T>(
    { replica, positions }: ReplicaParts,
    { userId }: Reader,
    work: (database: ReadDatabase) => Promise<T>,
  ): Promise<T> {
    let needed = replica.replayedPosition;
    const query: Query = async <Row extends object>(text: string, values?: readonly unknown[]) => {
      const [[replayed, rows], written] = await Promise.all([
        replica.read((client) => readWithPosition<Row>(client, text, values)),
        positions.of(userId),
      ]);
      if (written === undefined || replayed < maxPosition(needed, written)) {
        throw new PrimaryRequired('The replica does not have everything that the caller must see.');
      }
      // The next statement of this read may reach another server at the same address. That server must not be behind
      // this one.
      needed = replayed;
      return rows;
    };
    const pipeline = () => Promise.reject(new PrimaryRequired('A pipeline runs on the primary.'));
    return work({ query, pipeline });
  }

  /** Logs only the first of several consecutive failures. */
  private logFailure(error: unknown): void {
    if (this.isFailing) return;
    this.isFailing = true;
    this.logger.warn(
      { err: error, stage: 'replica' },
      'A read failed on the replica, but not on the primary.',
    );
  }

  private readPrimary<T>(
    { userId }: Reader,
    work: (database: ReadDatabase) => Promise<T>,
  ): Promise<T> {
    this.counts.primary++;
    const pipeline: ReadDatabase['pipeline'] = async <Row extends object>(
      ...statements: Parameters<ReadDatabase['pipeline']>
    ) => {
      const rows = await this.database.pipeline<Row>(...statements);
      // Later reads of this user must not see older data. For example, a client lists the changes and then reads the
      // changed documents, perhaps from the replica.
      await this.remember(userId);
      return rows;
    };
    return work({ query: this.database.query, pipeline });
  }
}

/**
 * Whether an error can also occur with a healthy replica. The replica may lack data that the read needs, or the read
 * may conflict with the WAL replay.
 */
const isExpected = (error: unknown): boolean =>
  error instanceof PrimaryRequired ||
  error instanceof DomainError ||
  CANCELLED_CODES.has(sqlState(error));

/** Reads the position first, so that the rows contain everything up to the position. */
async function readWithPosition<Row extends object>(
  client: PoolClient,
  text: string,
  values?: readonly unknown[],
): Promise<[position: WalPosition, rows: Row[]]> {
  const query = queryOn(client);
  const [states, rows] = await allFinished(
    query<ReplayState>(SELECT_POSITION),
    query<Row>(text, values),
  );
  // A promoted server still returns the position at which it was promoted.
  if (!states[0]?.isStandby) throw new PrimaryRequired('The server is no longer a standby.');
  return [parseWalPosition(states[0].position), rows];
}

/** Waits for both statements, so that no statement is still running when the connection is released. */
async function allFinished<First, Second>(
  first: Promise<First>,
  second: Promise<Second>,
): Promise<[First, Second]> {
  await Promise.allSettled([first, second]);
  return Promise.all([first, second]);
}
