/*
 * Exports a workspace to a file, or imports such a file as a new workspace:
 *   npm run workspace -- export <workspace id> FILE
 *   npm run workspace -- import FILE --owner <email address> [--new-ids]
 */
import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { requireNodeVersion } from '#node-version';
import { endOnSignals } from '#signals';
import type { ExportLine } from '#transfer';

endOnSignals();
requireNodeVersion();
const { loadRestoreConfig, requireArguments } = await import('#config');
const { WorkspaceExport, WorkspaceImport } = await import('#transfer');
const { CommandError, abortOnSignals, messageOf, report, runCommand } =
  await import('./command.js');
const { saveFile } = await import('./save-file.js');
const { withService } = await import('./with-service.js');

const USAGE = `npm run workspace -- export <workspace id> FILE: saves a workspace to a new file.
npm run workspace -- import FILE --owner <email address> [--new-ids]: creates a workspace from such a file.
Both need DATABASE_URL or DATABASE_DIRECT_URL, and SECRETS_KEYS.`;

const IS_ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

requireArguments(USAGE, (args) => args.length > 0);
await runCommand(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      owner: { type: 'string' },
      'new-ids': { type: 'boolean', default: false },
    },
  });
  const config = loadRestoreConfig(process.env);
  const [command, ...names] = positionals;
  const { owner, 'new-ids': hasNewIds } = values;
  const [first, second] = names;
  if (command === 'export' && first !== undefined && second !== undefined) {
    if (!IS_ID.test(first)) throw new CommandError(`${first} is not the id of a workspace.`);
    if (existsSync(second)) {
      throw new CommandError(
        `${second} already exists: choose another name, or move the existing file.`,
      );
    }
    const signal = abortOnSignals();
    await withService(config, [WorkspaceExport], (service) =>
      saveFile(second, serialiseLines(service.lines(first)), signal),
    );
    report(`Exported the workspace to ${second}.`);
  } else if (command === 'import' && first !== undefined && owner !== undefined) {
    const id = await withService(config, [WorkspaceImport, WorkspaceExport], (service) =>
      service.run(() => readLines(first), { owner, hasNewIds }),
    );
    report(`Imported and verified the workspace ${id}. Its owner is ${owner}.`);
  } else throw new CommandError(USAGE);
});

async function* serialiseLines(lines: AsyncIterable<ExportLine>): AsyncGenerator<string> {
  for await (const line of lines) yield `${JSON.stringify(line)}\n`;
}

async function* readLines(path: string): AsyncGenerator<ExportLine> {
  try {
    const file = await open(path);
    for await (const line of file.readLines()) yield JSON.parse(line) as ExportLine;
  } catch (error) {
    throw new CommandError(
      error instanceof SyntaxError
        ? 'The file is damaged or incomplete. Export the workspace again.'
        : `The file cannot be read: ${messageOf(error)}.`,
    );
  }
}
