import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { CliError } from '../terminal.js';

const execute = promisify(execFile);

/** The operating-system user that runs PostgreSQL, and how to start a command as that user. */
export interface ServerAccount {
  ids: { uid: number; gid: number };
  wrapCommand(
    file: string,
    args: string[],
  ): { file: string; args: string[]; options: { uid?: number; gid?: number } };
}

/**
 * PostgreSQL refuses to run as root. If this process is root, PostgreSQL runs as `nobody`, or as the user that already
 * owns the data.
 *
 * @param serverDir the directory of the data, which may not exist yet.
 * @param binary the path of the `postgres` program.
 * @throws CliError if that user cannot reach the directory or the program.
 */
export async function resolveServerAccount(
  serverDir: string,
  binary: string,
): Promise<ServerAccount> {
  const currentIds = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  if (currentIds.uid !== 0) {
    return { ids: currentIds, wrapCommand: (file, args) => ({ file, args, options: {} }) };
  }
  const { uid, gid } = existsSync(serverDir) ? await stat(serverDir) : await lookUpNobody();
  const ids = { uid, gid };

  const plainAccount: ServerAccount = {
    ids,
    wrapCommand: (file, args) => ({ file, args, options: ids }),
  };
  // A checkout may be in root's home directory, which only root can enter. On Linux, the capability `dac_override` lets
  // a process of another user pass through such directories. PostgreSQL checks with access(2) whether it can run its
  // own binary, and this call respects the capability only with the secure bit `no_setuid_fixup`.
  const dacOverrideAccount: ServerAccount = {
    ids,
    wrapCommand: (file, args) => ({
      file: 'setpriv',
      args: [
        '--reuid',
        String(ids.uid),
        '--regid',
        String(ids.gid),
        '--clear-groups',
        '--securebits',
        '+no_setuid_fixup',
        '--inh-caps',
        '+dac_override',
        '--ambient-caps',
        '+dac_override',
        file,
        ...args,
      ],
      options: {},
    }),
  };
  const parentDir = dirname(serverDir);
  for (const account of [plainAccount, dacOverrideAccount]) {
    if (await canReach(account, parentDir, binary)) {
      return account;
    }
  }
  throw new CliError(
    `PostgreSQL cannot run as root, and ordinary users cannot access ${parentDir} or ${binary}. Start Galley as an ordinary user, or move Galley and DATA_DIR to a directory that every user can enter, such as /srv.`,
  );
}

async function canReach(
  account: ServerAccount,
  directory: string,
  binary: string,
): Promise<boolean> {
  const { file, args, options } = account.wrapCommand('sh', [
    '-c',
    'test -x "$0" && test -x "$1"',
    directory,
    binary,
  ]);
  return execute(file, args, { ...options, cwd: '/' }).then(
    () => true,
    () => false,
  );
}

async function lookUpNobody(): Promise<{ uid: number; gid: number }> {
  const [uid, gid] = await Promise.all([
    execute('id', ['-u', 'nobody']),
    execute('id', ['-g', 'nobody']),
  ]);
  return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
}
