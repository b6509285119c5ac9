import { readFile, writeFile } from 'node:fs/promises';
import { environmentExample, environmentTable } from './reference.js';

const TABLE = /(<!-- configuration -->\n)[^]*?(<!-- \/configuration -->)/;

/** What the files that are made from the variables should say: path → text. */
export async function generatedFiles(): Promise<Map<string, string>> {
  const readme = await readFile('README.md', 'utf8');
  return new Map([
    ['.env.example', environmentExample()],
    [
      'README.md',
      readme.replace(
        TABLE,
        (_all, before: string, after: string) => `${before}\n${environmentTable()}\n\n${after}`,
      ),
    ],
  ]);
}

export async function writeGeneratedFiles(): Promise<void> {
  for (const [path, text] of await generatedFiles()) await writeFile(path, text);
}
