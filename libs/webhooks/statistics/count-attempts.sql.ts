import { selectBucket, HISTOGRAM_COLUMNS } from './response-times.js';

const COUNTED_COLUMNS = ['attempts', 'delivered', 'failed', 'retried', ...HISTOGRAM_COLUMNS];

/** The length of the interval that one row of `webhook_statistics` covers. */
const INTERVAL = '5 minutes';

/**
 * Adds attempts to the statistics of their endpoints and workspaces.
 *
 * - Needs: `attempt`, a CTE with a row for each new attempt (`endpoint_id`, `workspace_id`, `status`, `stage`,
 *   `duration_ms`, `is_last`, `is_over`). `attempt` must not contain an attempt that is already recorded.
 * - Locks: the rows that it writes. Only this statement writes statistics. It writes the rows in the order of their
 *   ids, so two statements cannot deadlock.
 *
 * An attempt counts towards the interval in which it is recorded, by PostgreSQL's clock. All workers share that clock,
 * so a past interval never changes. The partitions of the table depend on the same clock.
 *
 * Each workspace has rows of its own, because summing over a thousand endpoints would read a thousand times as many
 * rows.
 */
export const countAttempts = (
  attempt: string,
): string => `INSERT INTO webhook_statistics AS stored (subject_id, interval_start,
      ${COUNTED_COLUMNS.join(', ')})
    SELECT coalesce(endpoint_id, workspace_id), date_bin('${INTERVAL}', now(), 'epoch'), count(*),
      count(*) FILTER (WHERE NOT is_over AND is_last AND status = 'delivered'),
      count(*) FILTER (WHERE NOT is_over AND is_last AND status = 'failed'),
      count(*) FILTER (WHERE NOT is_over AND NOT is_last),
      ${HISTOGRAM_COLUMNS.map((_, bucket) => `count(*) FILTER (WHERE bucket = ${bucket})`).join(', ')}
    FROM (
      SELECT *, ${selectBucket({ stage: 'stage', durationMs: 'duration_ms' })} AS bucket FROM ${attempt}
    ) attempt
    GROUP BY GROUPING SETS ((endpoint_id), (workspace_id))
    ORDER BY coalesce(endpoint_id, workspace_id)
    ON CONFLICT (subject_id, interval_start) DO UPDATE SET
      ${COUNTED_COLUMNS.map((column) => `${column} = stored.${column} + excluded.${column}`).join(', ')}`;
