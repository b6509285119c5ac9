import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** The path of a program; undefined if the machine does not have the program. */
export async function onPath(name: string, ...moreDirectories: string[]) {
  const directories = [...(process.env['PATH'] ?? '').split(delimiter), ...moreDirectories];
  for (const directory of directories) {
    const file = join(directory, name);
    const found = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (found) return file;
  }
  return undefined;
}

/** Debian leaves pgbench out of the PATH. */
export const findPgbench = () => onPath('pgbench', ...globSync('/usr/lib/postgresql/*/bin'));

/** The output of a program, or a word that says that the program is missing. */
export async function versionOf(program: string | undefined, ...args: string[]): Promise<string> {
  if (program === undefined) return 'none';
  return (await execute(program, args)).stdout.trim();
}
