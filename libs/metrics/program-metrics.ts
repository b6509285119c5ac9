import { Injectable } from '@nestjs/common';
import { commit, version } from '#config';
import { Database, Reads } from '#database';
import { Readiness } from '#health';
import { Metrics, type Sample } from './metrics.js';

/** The metrics that the API and the worker have in common. */
@Injectable()
export class ProgramMetrics {
  constructor(
    metrics: Metrics,
    private readonly database: Database,
    private readonly readiness: Readiness,
    private readonly reads: Reads,
  ) {
    const versions = { version, commit: commit ?? '', node_version: process.version };
    metrics.watch(() => [['galley_build_info', versions, 1]]);
    metrics.watch(() => this.readPool());
    metrics.watch(() => this.readReadiness());
    metrics.watch(() => this.readServer());
    metrics.watch(() => this.readShortages());
    metrics.watch(() => this.readReplica());
  }

  private readPool(): Sample[] {
    const { size, inUse, idle, waiting } = this.database.poolUsage;
    return [
      ['galley_database_pool_size', {}, size],
      ['galley_database_pool_connections', { state: 'in_use' }, inUse],
      ['galley_database_pool_connections', { state: 'idle' }, idle],
      ['galley_database_pool_waiting', {}, waiting],
    ];
  }

  private readReplica(): Sample[] {
    const { counts, lagMs } = this.reads;
    if (lagMs === undefined) return [];
    return [
      ['galley_database_reads_total', { source: 'replica' }, counts.replica],
      ['galley_database_reads_total', { source: 'primary' }, counts.primary],
      ...(Number.isFinite(lagMs)
        ? [['galley_database_replica_lag_seconds', {}, lagMs / 1_000] satisfies Sample]
        : []),
    ];
  }

  private async readReadiness(): Promise<Sample[]> {
    const problem = await this.readiness.findProblem();
    return [['galley_ready', {}, Number(problem === undefined)]];
  }

  private async readServer(): Promise<Sample[]> {
    const { latestMigration, isPending, clockOffset } = await this.database.readServerState();
    const samples: Sample[] = [
      ['galley_migrations_pending', {}, Number(isPending)],
      ['galley_schema_migration_info', { migration: latestMigration }, 1],
    ];
    if (clockOffset !== undefined) samples.push(['galley_clock_offset_seconds', {}, clockOffset]);
    return samples;
  }

  private readShortages(): Sample[] {
    return Object.entries(this.database.shortages).map(([cause, count]) => [
      'galley_database_shortages_total',
      { cause },
      count,
    ]);
  }
}
