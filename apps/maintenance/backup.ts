/*
 * Backs up the database to a file: `npm run backup -- FILE`, or `-` for standard output. The other programs may keep
 * running, because pg_dump reads one snapshot of the database.
 */
import { existsSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { requireNodeVersion } from '#node-version';
import { endOnSignals } from '#signals';

endOnSignals();
requireNodeVersion();
const { resolveDirectUrl, loadMigrateConfig, requireArguments } = await import('#config');
const { requireGalleyTables } = await import('#database');
const { CommandError, abortOnSignals, messageOf, report, runCommand } =
  await import('./command.js');
const { connectTo, queryOn, requireTools, startTool } = await import('./postgres-tools.js');
const { saveFile } = await import('./save-file.js');

const ARGUMENTS = [
  '--format=custom',
  '--no-owner',
  '--no-privileges',
  // A restore creates the schema of the queue again, and the queue is rebuilt from Galley's own tables.
  '--exclude-schema=bullmq',
  // The rows of this table name programs that use the original database, not the restored one.
  '--exclude-table-data=running_programs',
];

requireArguments(
  'npm run backup -- FILE: saves the database of DATABASE_URL or DATABASE_DIRECT_URL to a new file, or to standard output if FILE is -.',
  (args) => args.length === 1 && !/^-./.test(args[0] ?? ''),
);
await runCommand(async () => {
  const signal = abortOnSignals();
  const [path = ''] = process.argv.slice(2);
  if (path !== '-' && existsSync(path)) {
    throw new CommandError(
      `${path} already exists: choose another name, or move the existing file.`,
    );
  }
  const config = loadMigrateConfig(process.env);
  const databaseUrl = resolveDirectUrl(config);
  const client = await connectTo(databaseUrl, 'backup');
  try {
    await requireTools(['pg_dump'], client, signal);
    await requireGalleyTables((text) => queryOn(client, text));
  } finally {
    await client.end();
  }
  // The data passes through this process. If this process ends, even by SIGKILL, the pipe closes, and pg_dump ends as
  // well.
  const dump = startTool('pg_dump', { databaseUrl, args: ARGUMENTS, signal });
  const chunks = async function* () {
    yield* dump.output;
    await dump.finished;
  };
  try {
    if (path === '-') await pipeline(chunks, process.stdout, { signal, end: false });
    else await saveFile(path, chunks(), signal);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof CommandError) throw error;
    throw new CommandError(`The backup cannot be written: ${messageOf(error)}.`);
  } finally {
    // If the file cannot be opened, nothing reads the output of pg_dump, and pg_dump would wait forever with its
    // transaction open.
    dump.kill();
  }
  report('The backup is complete. It does not contain SECRETS_KEYS: store the keys separately.');
});
