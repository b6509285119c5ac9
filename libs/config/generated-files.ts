import { readFile, writeFile } from 'node:fs/promises';
import { environmentExample, environmentTable } from './environment-reference.js';

const CONFIGURATION_PAGE = 'docs/run/configuration.md';
const TABLE_SECTION = /(<!-- configuration -->\n)[^]*?(<!-- \/configuration -->)/;

/** Maps the path of each generated file to its content. */
export async function generatedFiles(): Promise<Map<string, string>> {
  const page = await readFile(CONFIGURATION_PAGE, 'utf8');
  return new Map([
    ['.env.example', environmentExample()],
    [
      CONFIGURATION_PAGE,
      page.replace(
        TABLE_SECTION,
        (_match, startMarker: string, endMarker: string) =>
          `${startMarker}\n${environmentTable()}\n\n${endMarker}`,
      ),
    ],
  ]);
}

export async function writeGeneratedFiles(): Promise<void> {
  for (const [path, text] of await generatedFiles()) await writeFile(path, text);
}
