import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { connect } from '../connection/connect.js';
import { PLANNER_SETTINGS } from '../connection/data-source.js';
import { sqlState } from '../connection/sql-state.js';
import type { Query } from '../connection/statements.js';
import { migrations } from '../migrations/index.js';
import {
  SELECT_PRIMARY,
  SELECT_REPLICA,
  type PrimaryState,
  type ReplicaState,
} from '../replica/server-state.sql.js';
import { parseWalPosition } from '../replica/wal-position.js';
import * as statements from './inspection.sql.js';

const STATEMENT_TIMEOUT_MS = 3_000;
const UNDEFINED_TABLE = '42P01';
const REPLICA_POLL_MS = 20;

export interface ServerState {
  version: string;
  versionNumber: number;
  encoding: string;
  user: string;
  isStandby: boolean;
  isReadOnly: boolean;
  /** Whether migrations may create the queue's schema. */
  canCreateSchemas: boolean;
  /** Whether migrations may create tables in Galley's schema. */
  canCreateTables: boolean;
}

export interface MissingPrivileges {
  /** Tables in which this user may not read rows, or may not change them. */
  unwritable: string[];
  /** Partitioned tables that belong to another role, so that the worker can neither create nor drop partitions. */
  notOwned: string[];
}

interface ConnectionLimits {
  /** How many connections this user may have to this database. */
  capacity: number;
  /** The number of open connections to the server, from Galley and all other programs. */
  used: number;
}

export type ReplicaProblem = 'not a standby' | 'another database' | 'another history' | 'behind';

/** One connection with the settings of the API and the worker, for operators' tools that inspect the database. */
export class DatabaseInspection {
  private constructor(private readonly dataSource: DataSource) {}

  /**
   * Connects, without retries.
   * @throws StartupError with a message for the operator.
   */
  static async connect(
    url: string,
    { program = 'doctor', statementTimeoutMs = STATEMENT_TIMEOUT_MS } = {},
  ): Promise<DatabaseInspection> {
    const options = {
      url,
      poolSize: 1,
      applicationName: `galley ${program}`,
      statementTimeout: statementTimeoutMs,
      settings: PLANNER_SETTINGS,
      // A pooler would impose the statement timeout of the API.
      isDirect: true,
    };
    return new DatabaseInspection(await connect(options, 1));
  }

  readonly query: Query = (text, values) =>
    this.dataSource.query(text, values === undefined ? undefined : [...values]);

  close(): Promise<void> {
    return this.dataSource.destroy();
  }

  async serverState(): Promise<ServerState> {
    const [state] = await this.query<ServerState>(statements.SERVER_STATE);
    return state as ServerState;
  }

  async missingPrivileges(): Promise<MissingPrivileges> {
    const [missing] = await this.query<MissingPrivileges>(statements.MISSING_PRIVILEGES);
    return missing as MissingPrivileges;
  }

  async connectionLimits(): Promise<ConnectionLimits> {
    const [limits] = await this.query<ConnectionLimits>(statements.CONNECTION_LIMITS);
    return limits as ConnectionLimits;
  }

  /**
   * Measures how far a replica lags behind this database. Waits at most `limitMs` until the replica has replayed
   * everything that is committed now.
   * @returns the time that the replica took, in milliseconds, or the problem with the replica.
   */
  async measureReplica(
    replica: DatabaseInspection,
    limitMs: number,
  ): Promise<{ lagMs: number } | { problem: ReplicaProblem }> {
    const [primary] = await this.query<PrimaryState>(SELECT_PRIMARY);
    const startedAt = performance.now();
    for (;;) {
      const [state] = await replica.query<ReplicaState>(SELECT_REPLICA);
      const lagMs = performance.now() - startedAt;
      if (!state?.isStandby) return { problem: 'not a standby' };
      if (state.identity !== primary?.identity) return { problem: 'another database' };
      if (parseWalPosition(state.position) >= parseWalPosition(primary.position)) {
        const [later] = await this.query<PrimaryState>(SELECT_PRIMARY);
        const isAhead =
          later && parseWalPosition(later.position) < parseWalPosition(state.position);
        return isAhead ? { problem: 'another history' } : { lagMs };
      }
      if (lagMs > limitMs) return { problem: 'behind' };
      await delay(REPLICA_POLL_MS);
    }
  }

  /** How far the clock of the database is ahead of this machine's clock, in milliseconds. */
  async clockOffset(): Promise<number> {
    const sentAt = Date.now();
    const [row] = await this.query<{ now: Date }>('SELECT clock_timestamp() AS now');
    return (row?.now.getTime() ?? NaN) - (sentAt + Date.now()) / 2;
  }

  /** The migrations that only this program has (`pending`), and those that only the database has (`unknown`). */
  async compareMigrations(): Promise<{ pending: string[]; unknown: string[] }> {
    const rows = await this.query<{ name: string }>('SELECT name FROM migrations').catch(
      (error: unknown) => {
        if (sqlState(error) === UNDEFINED_TABLE) return [];
        throw error;
      },
    );
    const applied = new Set(rows.map(({ name }) => name));
    const known = new Set(migrations.map(({ name }) => name));
    return {
      pending: [...known].filter((name) => !applied.has(name)),
      unknown: [...applied].filter((name) => !known.has(name)),
    };
  }
}
