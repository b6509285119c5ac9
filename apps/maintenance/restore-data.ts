import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { CommandError } from './command.js';
import { startTool } from './postgres-tools.js';

/** The name of the session that stores the data. A later run ends it if this process was killed. */
export const DATA_SESSION = 'galley restore data';

// Details of an error may be whole documents.
const TERSE = '--set=VERBOSITY=terse';

/** Reads a backup from a file, or from standard input if the path is `-`. */
const readBackup = (path: string, args: readonly string[], signal: AbortSignal) =>
  startTool('pg_restore', {
    args: ['--file=-', '--no-owner', '--no-privileges', ...args, ...(path === '-' ? [] : [path])],
    inheritsInput: path === '-',
    signal,
  });

/**
 * Stores the data of a backup, and runs `lastStatements`, all in one transaction. pg_restore only writes the script;
 * psql runs it, and commits when this process tells it to. So nothing is stored if the backup, a program or this
 * process (by SIGKILL) ends too early.
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
  // Discards the output: the script changes settings of the session with SELECT statements.
  session.output.resume();
  const script = async function* () {
    yield `SET application_name = '${DATA_SESSION}'; BEGIN;\n`;
    yield* backup.output;
    await backup.finished.catch((error: unknown) => {
      // Otherwise psql would complain about the row in which the script ends.
      session.kill();
      throw error;
    });
    // The script has changed the search path.
    yield `\nRESET ALL;\n${lastStatements};\nCOMMIT;\n`;
  };
  const [ended, sent] = await Promise.allSettled([
    session.finished,
    pipeline(script, session.input),
  ]);
  const reasons = [sent, ended].flatMap((result) =>
    result.status === 'rejected' ? [result.reason as Error] : [],
  );
  // If psql has failed, the script could not be sent, which is no error of its own.
  const reason = reasons.find((error) => error instanceof CommandError) ?? reasons[0];
  if (reason !== undefined) throw reason;
}

/** The migrations that the database of the backup had. */
export async function readMigrations(path: string, signal: AbortSignal): Promise<string[]> {
  const backup = readBackup(path, ['--data-only', '--table=migrations'], signal);
  const script = await text(backup.output);
  await backup.finished;
  const rows = /^COPY .*\n([^]*?)^\\\.$/m.exec(script)?.[1] ?? '';
  return rows.split('\n').flatMap((row) => row.split('\t').slice(2));
}
