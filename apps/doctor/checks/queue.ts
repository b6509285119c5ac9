import { findPostgresQueueProblem, inspectRedis, type RedisState } from '#queue';
import { adviceFor, describeHosts } from '#redis';
import { findingsOn, type Finding } from '../finding.js';
import type { Configuration } from './configuration.js';
import { checkClock } from './clock.js';

const on = findingsOn('queue');

const MIN_VERSION = [6, 2];

export async function checkQueue({
  DATABASE_URL,
  DATABASE_DIRECT_URL = DATABASE_URL,
  REDIS_URL,
}: Configuration['values']): Promise<Finding[]> {
  if (REDIS_URL !== undefined) return checkRedis(REDIS_URL);
  if (DATABASE_DIRECT_URL === undefined)
    return [on.skipped('The queue is in PostgreSQL, but DATABASE_URL is not set or not valid.')];
  try {
    const problem = await findPostgresQueueProblem(DATABASE_DIRECT_URL);
    return [problem === undefined ? on.ok('The queue is in PostgreSQL.') : on.problem(problem)];
  } catch {
    return [on.skipped('The queue is in PostgreSQL, which cannot be reached.')];
  }
}

async function checkRedis(url: string): Promise<Finding[]> {
  let states: RedisState[];
  try {
    states = await inspectRedis(url);
  } catch (error) {
    const { message } = error as Error;
    return [
      on.problem(
        `Cannot connect to Redis at ${describeHosts(url)}: ${message}. ${adviceFor(message, url)}`,
      ),
    ];
  }
  const findings = states.flatMap(checkServer);
  // The servers of a cluster usually have the same problems, so each problem is reported only once.
  return [...new Map(findings.map((finding) => [finding.text, finding])).values()];
}

function checkServer({ version, evictionPolicy, isReplica, clockOffset }: RedisState): Finding[] {
  const findings: Finding[] = [];
  if (isTooOld(version)) {
    findings.push(on.problem(`Redis ${version} is too old: Galley needs 6.2 or newer.`));
  }
  if (evictionPolicy !== undefined && evictionPolicy !== 'noeviction') {
    findings.push(
      on.problem(
        `A full Redis would delete jobs (maxmemory-policy is ${evictionPolicy}): set maxmemory-policy to noeviction.`,
      ),
    );
  }
  if (isReplica) {
    findings.push(on.problem('Redis is a replica: set REDIS_URL to the primary.'));
  }
  if (findings.length === 0) findings.push(on.ok(`Redis ${version} responds.`));
  return [...findings, checkClock('Redis', clockOffset)];
}

function isTooOld(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [minMajor = 0, minMinor = 0] = MIN_VERSION;
  return major < minMajor || (major === minMajor && minor < minMinor);
}
