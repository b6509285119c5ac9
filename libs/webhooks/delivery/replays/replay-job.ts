import type { Database } from '#database';
import { selectDueJob, type LongJob } from '#long-jobs';
import type { DueEndpoint } from '../../traffic/endpoint-health.js';
import { LOCK_TRAFFIC } from '../../traffic/endpoint-traffic.js';
import { STEP_REPLAY } from './step-replay.sql.js';

const SELECT_DUE_REPLAY = selectDueJob('webhook_replays', 'id, endpoint_id AS "endpointId"');

interface ScheduledReplay {
  id: string;
  endpointId: string;
  dueInMs: number;
}

/** Repeats finished deliveries in steps that are small enough not to delay new events noticeably. */
export class ReplayJob implements LongJob {
  readonly name = 'replays';

  constructor(
    private readonly database: Database,
    private readonly retentionDays: number,
    private readonly enqueue: (endpoints: DueEndpoint[]) => Promise<void>,
  ) {}

  async step(): Promise<number | null> {
    const [next, afterNext] = await this.database.query<ScheduledReplay>(SELECT_DUE_REPLAY);
    if (next === undefined) return null;
    if (next.dueInMs > 0) return next.dueInMs;
    const dueEndpoints = await this.database.pipeline<DueEndpoint>(
      [LOCK_TRAFFIC, [[next.endpointId]]],
      [STEP_REPLAY, [next.id, this.retentionDays]],
    );
    await this.enqueue(dueEndpoints);
    return Math.max(0, afterNext?.dueInMs ?? 0);
  }
}
