import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { CommandError } from './command.js';
import { startTool } from './postgres-tools.js';

/**
 * The application name of the session that loads the data. If this process is killed, the next run ends that session.
 */
export const DATA_SESSION = 'galley restore data';

// Omits the details of errors, because they may contain whole documents.
const TERSE = '--set=VERBOSITY=terse';

/** Reads a backup from a file, or from standard input if the path is `-`. */
const readBackup = (path: string, args: readonly string[], signal: AbortSignal) =>
  startTool('pg_restore', {
    args: ['--file=-', '--no-owner', '--no-privileges', ...args, ...(path === '-' ? [] : [path])],
    inheritsInput: path === '-',
    signal,
  });

/**
 * Loads the data of a backup and runs `lastStatements`, all in one transaction. pg_restore only generates an SQL
 * script. psql runs the script, and commits when this process sends COMMIT. Nothing is stored if the backup is
 * truncated, or if one of the three processes ends early, even by SIGKILL.
 */
export async function restoreData(
  path: string,
  databaseUrl: string,
  lastStatements: string,
  signal: AbortSignal,
): Promise<void> {
  const backup = readBackup(path, [], signal);
  const session = startTool('psql', {
    databaseUrl,
    args: ['--no-psqlrc', '--quiet', '--set=ON_ERROR_STOP=1', TERSE],
    signal,
  });
  // Discards the results of the SELECT statements with which the script changes session settings.
  session.output.resume();
  const script = async function* () {
    yield `SET application_name = '${DATA_SESSION}'; BEGIN;\n`;
    yield* backup.output;
    await backup.finished.catch((error: unknown) => {
      // Keeps psql from reporting an error about the row at which the script breaks off.
      session.kill();
      throw error;
    });
    // The script has changed the search path, which RESET ALL restores.
    yield `\nRESET ALL;\n${lastStatements};\nCOMMIT;\n`;
  };
  const [ended, sent] = await Promise.allSettled([
    session.finished,
    pipeline(script, session.input),
  ]);
  const reasons = [sent, ended].flatMap((result) =>
    result.status === 'rejected' ? [result.reason as Error] : [],
  );
  // If psql fails, `pipeline` fails as well. Only the CommandError explains the cause.
  const reason = reasons.find((error) => error instanceof CommandError) ?? reasons[0];
  if (reason !== undefined) throw reason;
}

/** Returns the names of the migrations that had run when the backup was made. */
export async function readMigrations(path: string, signal: AbortSignal): Promise<string[]> {
  const backup = readBackup(path, ['--data-only', '--table=migrations'], signal);
  const script = await text(backup.output);
  await backup.finished;
  const rows = /^COPY .*\n([^]*?)^\\\.$/m.exec(script)?.[1] ?? '';
  return rows.split('\n').flatMap((row) => row.split('\t').slice(2));
}
