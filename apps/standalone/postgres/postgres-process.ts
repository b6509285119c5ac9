import { execFile, spawn } from 'node:child_process';
import { open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { hasErrorCode } from '../ports.js';
import { CliError } from '../terminal.js';
import type { ServerAccount } from './server-account.js';

const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 15_000;

// Lines of postmaster.pid, counted from 0 (src/include/utils/pidfile.h of PostgreSQL).
const PID_LINE = 0;
const STATUS_LINE = 7;

// The shell starts a watchdog in the background and then replaces itself with PostgreSQL (`exec`). The watchdog reads a
// pipe from this Node.js process (descriptor 3). If the Node.js process is killed, the pipe closes without a message,
// and the watchdog stops PostgreSQL.
const WATCHDOG_SCRIPT = '( (read -r word <&3 || kill -INT $$) & ); exec "$0" "$@" 3<&-';

/**
 * Starts a server whose data and log (`postgres.log`) are in `serverDir`.
 *
 * @param binary the path of the `postgres` program.
 */
export async function launchPostgres(
  serverDir: string,
  account: ServerAccount,
  binary: string,
  flags: string[],
) {
  const cluster = join(serverDir, 'data');
  const log = await open(join(serverDir, 'postgres.log'), 'w', 0o600);
  const { file, args, options } = account.wrapCommand('sh', [
    '-c',
    WATCHDOG_SCRIPT,
    binary,
    '-D',
    cluster,
    ...flags,
  ]);
  // Ctrl-C signals the foreground process group of the terminal. In a process group of its own, PostgreSQL does not
  // receive that signal, and runs until the programs that use it have stopped.
  const child = spawn(file, args, {
    ...options,
    cwd: cluster,
    env: postgresEnvironment(),
    detached: true,
    stdio: ['ignore', log.fd, log.fd, 'pipe'],
  });
  let hasExited = false;
  const exited = new Promise<string>((resolve) => {
    const onEnd = (exitReason: string): void => {
      hasExited = true;
      (child.stdio[3] as Writable | null)?.end('ended\n');
      resolve(exitReason);
    };
    child.once('exit', (code, signal) => onEnd(signal ?? `exit code ${code ?? 'unknown'}`));
    child.once('error', (error) => onEnd(error.message));
  });
  // The log is closed only after the listeners have been added, because the server may exit during an `await`.
  await log.close();

  return {
    exited,
    waitUntilReady: async (): Promise<boolean> => {
      const deadline = Date.now() + START_TIMEOUT_MS;
      while (!hasExited && Date.now() < deadline) {
        if (child.pid !== undefined && (await isReady(cluster, child.pid))) {
          return true;
        }
        await sleep(20);
      }
      return false;
    },
    stop: async (): Promise<void> => {
      if (!hasExited) {
        child.kill('SIGINT');
        const killTimer = setTimeout(() => child.kill('SIGQUIT'), STOP_TIMEOUT_MS);
        await exited;
        clearTimeout(killTimer);
      }
    },
  };
}

/**
 * Stops a server that is still running on this cluster because the process that started it was killed. The process ID
 * in the PID file may belong to another program by now, so the command line of the process is checked first. If the
 * process is not the server, only the PID file is removed. PostgreSQL would refuse to start while this file names a
 * running process.
 */
export async function stopOrphanedServer(cluster: string): Promise<void> {
  const pid = Number((await readPidFile(cluster))[PID_LINE]);
  if (!Number.isInteger(pid) || pid <= 0 || !isAlive(pid)) {
    return;
  }
  if (!(await isServerOf(cluster, pid))) {
    await rm(join(cluster, 'postmaster.pid'), { force: true });
    return;
  }
  process.kill(pid, 'SIGINT');
  const deadline = Date.now() + STOP_TIMEOUT_MS;
  while (isAlive(pid) && (await isServerOf(cluster, pid))) {
    if (Date.now() > deadline) {
      throw new CliError(
        `A PostgreSQL server from an earlier start is still running and does not stop: end process ${pid}, and then start Galley again.`,
      );
    }
    await sleep(50);
  }
}

async function readPidFile(cluster: string): Promise<string[]> {
  try {
    return (await readFile(join(cluster, 'postmaster.pid'), 'utf8')).split('\n');
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) {
      return [];
    }
    throw error;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return hasErrorCode(error, 'EPERM');
  }
}

async function isServerOf(cluster: string, pid: number): Promise<boolean> {
  const commandLine = await readCommandLine(pid);
  return commandLine.includes(`/postgres -D ${cluster} `);
}

/** Returns an empty string if the process no longer exists. */
async function readCommandLine(pid: number): Promise<string> {
  try {
    if (process.platform === 'linux') {
      // Slim container images have no `ps`.
      return (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ');
    }
    return (await promisify(execFile)('ps', ['-ww', '-o', 'command=', '-p', String(pid)])).stdout;
  } catch (error) {
    if (!isAlive(pid)) {
      return '';
    }
    throw error;
  }
}

async function isReady(cluster: string, pid: number): Promise<boolean> {
  const lines = await readPidFile(cluster);
  const status = lines[STATUS_LINE]?.trim();
  // A standby counts as ready, because it accepts reads.
  return Number(lines[PID_LINE]) === pid && (status === 'ready' || status === 'standby');
}

/**
 * Sets LC_ALL for two reasons: on macOS, PostgreSQL does not start with an unknown locale, and the messages in the log
 * must be in English, because `TRANSIENT_START_ERRORS` is matched against them.
 */
export const postgresEnvironment = (): NodeJS.ProcessEnv => ({ ...process.env, LC_ALL: 'C' });
