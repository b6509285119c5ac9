import { rename, writeFile } from 'node:fs/promises';

/**
 * Writes the file under a temporary name and then renames it, so that a reader never finds an incomplete file, even
 * after a kill. Only the owner can read the file.
 */
export async function writeAtomically(file: string, text: string): Promise<void> {
  await writeFile(`${file}.new`, text, { mode: 0o600 });
  await rename(`${file}.new`, file);
}
