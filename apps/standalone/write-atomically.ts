import { rename, writeFile } from 'node:fs/promises';

/**
 * Writes the file under a temporary name and then renames it. A reader, or the next start after a kill, finds either a
 * complete file or none. Only the owner can read the file.
 */
export async function writeAtomically(file: string, text: string): Promise<void> {
  await writeFile(`${file}.new`, text, { mode: 0o600 });
  await rename(`${file}.new`, file);
}
