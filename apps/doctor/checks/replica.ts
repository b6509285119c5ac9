import { DatabaseInspection } from '#database';
import { findingsOn, type Finding } from '../finding.js';
import type { Configuration } from './configuration.js';

// Must be shorter than two other limits: the API stops using a replica at a lag of 10 s, and the doctor stops a check
// after 15 s.
const LAG_LIMIT_MS = 5_000;

const on = findingsOn('replica');

const PROBLEMS = {
  'not a standby':
    'DATABASE_REPLICA_URL does not point to a standby, so the API reads from the primary: set it to the URL of a standby.',
  'another database':
    'DATABASE_REPLICA_URL points to a standby of a different server, or to a different database, so the API does not use it: set DATABASE_REPLICA_URL to a standby of the server in DATABASE_URL.',
  'another history':
    'The replica has data that its primary lacks, because the primary was restored, or failed over to a server that had less data. The API reads from the primary until you rebuild the replica.',
  behind: `The replica is more than ${LAG_LIMIT_MS / 1_000} s behind the primary. From 10 s on, the API reads from the primary instead. Check pg_stat_replication on the primary.`,
};

/** Returns no findings if there is no replica. */
export async function checkReplica({
  DATABASE_URL,
  DATABASE_DIRECT_URL = DATABASE_URL,
  DATABASE_REPLICA_URL,
  REDIS_URL,
}: Configuration['values']): Promise<Finding[]> {
  if (DATABASE_REPLICA_URL === undefined) return [];
  const findings: Finding[] = [];
  if (REDIS_URL === undefined) {
    findings.push(
      on.warning(
        'Without REDIS_URL, an API does not know what callers have written through another API, so callers may not see their own changes: set REDIS_URL, or run only one API.',
      ),
    );
  }
  if (DATABASE_DIRECT_URL === undefined) return findings;
  return [...findings, await measure(DATABASE_DIRECT_URL, DATABASE_REPLICA_URL)];
}

async function measure(primaryUrl: string, replicaUrl: string): Promise<Finding> {
  const primary = await DatabaseInspection.connect(primaryUrl).catch(() => undefined);
  if (primary === undefined) return on.skipped('The primary cannot be reached.');
  try {
    const replica = await DatabaseInspection.connect(replicaUrl);
    try {
      const result = await primary.measureReplica(replica, LAG_LIMIT_MS);
      return 'problem' in result
        ? on.problem(PROBLEMS[result.problem])
        : on.ok(`The replica responds, and is ${Math.round(result.lagMs)} ms behind.`);
    } finally {
      await replica.close();
    }
  } catch (error) {
    const message = (error as Error).message.replace('DATABASE_URL', 'DATABASE_REPLICA_URL');
    return on.problem(`The API reads from the primary. ${message}`);
  } finally {
    await primary.close();
  }
}
