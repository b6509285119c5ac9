/*
 * Saves the database to a file: `npm run backup -- FILE`, or `-` for standard output. All programs may run
 * meanwhile: pg_dump reads everything in one snapshot.
 */
import { existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { requireNodeVersion } from '#node-version';
import { endOnSignals } from '#signals';

endOnSignals();
requireNodeVersion();
const { loadMigrateConfig } = await import('#config');
const { CommandError, messageOf, report, runCommand } = await import('./command.js');
const { connectTo, requireTool, runTool } = await import('./postgres-tools.js');

const ARGUMENTS = [
  '--format=custom',
  '--no-owner',
  '--no-privileges',
  // The queue is rebuilt from Galley's own tables, and its schema by the migrations.
  '--exclude-schema=bullmq',
];

await runCommand(async () => {
  const [path] = process.argv.slice(2);
  if (path === undefined) throw new CommandError('Name the file: npm run backup -- FILE');
  const config = loadMigrateConfig(process.env);
  const databaseUrl = config.DATABASE_DIRECT_URL ?? config.DATABASE_URL;
  const client = await connectTo(databaseUrl, 'backup');
  try {
    await requireTool('pg_dump', client);
  } finally {
    await client.end();
  }
  if (path === '-') await runTool('pg_dump', { databaseUrl, args: ARGUMENTS });
  else await saveTo(path, databaseUrl);
  report('The backup is complete. It does not contain SECRETS_KEY: keep the key in another place.');
});

/** The file gets its name only when it is complete. */
async function saveTo(path: string, databaseUrl: string): Promise<void> {
  if (existsSync(path)) {
    throw new CommandError(`${path} exists already: name another file, or move this one.`);
  }
  const partialPath = `${path}.partial`;
  // Backups have personal data and hashes of API keys, so only their owner may read them.
  const file = await open(partialPath, 'w', 0o600).catch((error: unknown) => {
    throw new CommandError(`The file cannot be written: ${messageOf(error)}.`);
  });
  try {
    await runTool('pg_dump', { databaseUrl, args: ARGUMENTS, output: file.fd });
    await file.sync();
    await rename(partialPath, path);
  } catch (error) {
    await rm(partialPath, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}
