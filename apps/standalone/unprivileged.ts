import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { Problem } from './terminal.js';

const execute = promisify(execFile);

/** How to start a command so that it does not run as root. */
export interface Unprivileged {
  owner: { uid: number; gid: number };
  command(
    file: string,
    args: string[],
  ): { file: string; args: string[]; options: { uid?: number; gid?: number } };
}

/**
 * PostgreSQL refuses to run as root, so what root starts runs as `nobody`, or as the user who
 * already owns the data.
 *
 * @param home the directory of the data, which need not exist yet
 * @param program what is to be run
 * @throws Problem when that user cannot get at either.
 */
export async function unprivileged(home: string, program: string): Promise<Unprivileged> {
  const user = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  if (user.uid !== 0) {
    return { owner: user, command: (file, args) => ({ file, args, options: {} }) };
  }
  const { uid, gid } = existsSync(home) ? await stat(home) : await nobody();
  const owner = { uid, gid };

  const asOwner: Unprivileged = {
    owner,
    command: (file, args) => ({ file, args, options: owner }),
  };
  // Root's home is closed to everyone else, and a checkout may well lie there. Linux can let a
  // process that is not root pass closed directories: it keeps one capability, and the secure bit
  // makes access(2), with which PostgreSQL looks for its own binary, respect it.
  const passingClosedDirectories: Unprivileged = {
    owner,
    command: (file, args) => ({
      file: 'setpriv',
      args: [
        ...['--reuid', String(owner.uid), '--regid', String(owner.gid), '--clear-groups'],
        ...['--securebits', '+no_setuid_fixup'],
        ...['--inh-caps', '+dac_override', '--ambient-caps', '+dac_override'],
        file,
        ...args,
      ],
      options: {},
    }),
  };
  const directory = dirname(home);
  for (const way of [asOwner, passingClosedDirectories]) {
    if (await canReach(way, directory, program)) {
      return way;
    }
  }
  throw new Problem(
    `PostgreSQL cannot run as root, and another user cannot reach ${directory} and ${program}: start Galley as an ordinary user, or move it and DATA_DIR to where every user may look, such as /srv.`,
  );
}

async function canReach(way: Unprivileged, directory: string, program: string): Promise<boolean> {
  const { file, args, options } = way.command('sh', [
    '-c',
    'test -x "$0" && test -x "$1"',
    directory,
    program,
  ]);
  return execute(file, args, { ...options, cwd: '/' }).then(
    () => true,
    () => false,
  );
}

async function nobody(): Promise<{ uid: number; gid: number }> {
  const [uid, gid] = await Promise.all([
    execute('id', ['-u', 'nobody']),
    execute('id', ['-g', 'nobody']),
  ]);
  return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
}
