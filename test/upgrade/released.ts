import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// Not in node_modules, where Node strips no types.
const CACHE = join(tmpdir(), 'galley-released');

// Migrations never change, so the last commit of this file is the one that introduced the schema.
const FIRST_MIGRATION = 'libs/database/migrations/1764547200000-identity.ts';

/**
 * The commit of the latest release: its tag, or, before the first tag, the later one of the commits that stored the
 * API of the release and that introduced the schema. Undefined if the history is not at hand, as in a shallow clone.
 */
export function releasedCommit(): string | undefined {
  const tag = git('describe', '--tags', '--abbrev=0', '--match=v*');
  return tag
    ? git('rev-list', '-1', tag)
    : git('log', '-1', '--format=%H', '--', 'openapi.released.json', FIRST_MIGRATION);
}

/** Builds the release in a folder of its own, with its own dependencies, and returns the folder. */
export async function buildRelease(commit: string): Promise<string> {
  const directory = join(CACHE, commit);
  if (existsSync(directory)) return directory;
  const unfinished = `${directory}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true });
  const archive = execFileSync('git', ['archive', commit], { maxBuffer: 1 << 30 });
  execFileSync('tar', ['-x', '-C', unfinished], { input: archive });
  for (const command of [
    ['ci', '--no-audit', '--no-fund'],
    ['run', '--silent', 'build'],
  ]) {
    execFileSync('npm', command, { cwd: unfinished, stdio: 'pipe' });
  }
  await rename(unfinished, directory);
  return directory;
}

function git(...args: string[]): string | undefined {
  try {
    return execFileSync('git', args, { encoding: 'utf8', stdio: 'pipe' }).trim() || undefined;
  } catch {
    return undefined;
  }
}
