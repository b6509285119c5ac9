import { execFile } from 'node:child_process';
import { arch, availableParallelism, cpus, platform, release, totalmem } from 'node:os';
import { promisify } from 'node:util';
import { findPgbench, onPath, versionOf } from './programs.js';
import type { Harness } from './harness.js';

/** The machine and versions on which the figures depend, one line each. */
export async function describeMachine(harness: Harness): Promise<string[]> {
  const database = await harness.database();
  const [row] = await database.query<{ version: string }>('SHOW server_version');
  await database.drop();
  const redis = await versionOf(await onPath('redis-server'), '--version');
  const pgbench = await versionOf(await findPgbench(), '--version');
  return [
    `Galley ${await commit()}, Node ${process.version}`,
    `PostgreSQL ${Object.values(row ?? {}).join('')} (embedded), ${/v=[\d.]+/.exec(redis)?.[0].replace('v=', 'Redis ') ?? 'no Redis: the queue is in PostgreSQL'}, ${pgbench === 'none' ? 'no pgbench' : pgbench}`,
    `${availableParallelism()} × ${cpus()[0]?.model ?? 'unknown processor'}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${platform()} ${release()} ${arch()}`,
  ];
}

async function commit(): Promise<string> {
  const git = async (...args: string[]) => (await promisify(execFile)('git', args)).stdout.trim();
  try {
    const changed = await git('status', '--porcelain', '--', 'apps', 'libs');
    return `${await git('rev-parse', '--short', 'HEAD')}${changed === '' ? '' : ' with changes'}`;
  } catch {
    return 'of no commit (not a git checkout)';
  }
}
