/*
 * Part of `npm run build`: writes the commit to dist/commit. The commit comes from GIT_COMMIT if that variable is set,
 * as in an image build, and otherwise from Git. If neither names a commit, the file is empty. This happens, for
 * example, in a build from an archive.
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { rootDirectory } from './version.js';

// `--exclude=*` leaves tags out, because the version is already known.
const DESCRIBE = ['describe', '--always', '--dirty', '--abbrev=10', '--exclude=*'];

if (import.meta.main) {
  writeFileSync(join(rootDirectory, 'dist/commit'), `${findCommit(rootDirectory, process.env)}\n`);
}

/** The first ten digits of the commit, followed by `-dirty` if files differ from it; empty if the commit is unknown. */
export function findCommit(folder: string, environment: NodeJS.ProcessEnv): string {
  // A value with other characters is ignored, because notifications contain the commit in a header.
  const given = /^[\w.-]{1,40}$/.exec(environment['GIT_COMMIT'] ?? '')?.[0];
  if (given !== undefined) return given.replace(/^([0-9a-f]{10})[0-9a-f]{30}$/, '$1');
  try {
    return execFileSync('git', DESCRIBE, {
      cwd: folder,
      // A repository above the folder belongs to another program.
      env: { ...environment, GIT_CEILING_DIRECTORIES: dirname(folder) },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return '';
  }
}
