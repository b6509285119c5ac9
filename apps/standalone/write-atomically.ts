import { rename, writeFile } from 'node:fs/promises';

/**
 * The file is written under another name and then renamed: a reader, or the next start after a kill, finds
 * a complete file or none. Only the owner can read the file.
 */
export async function writeAtomically(file: string, text: string): Promise<void> {
  await writeFile(`${file}.new`, text, { mode: 0o600 });
  await rename(`${file}.new`, file);
}
