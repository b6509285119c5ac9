import { readFile } from 'node:fs/promises';
import { queriesFile, readRecorded, type Query } from './print-queries.ts';

/**
 * Returns a sentence if programs have run a statement that `queries.sql` of its lib shows in another form. Filters and fields give
 * some statements many shapes, of which the file has those that the tests reached when it was written: one of them is
 * enough. A statement that the file does not name is no failure, because a slow machine reaches statements that a quick
 * one does not, such as the check of attempts that take long.
 */
export async function findOutdatedQueries(folder: string): Promise<string | undefined> {
  const byName = Map.groupBy(
    await readRecorded(folder),
    ({ source }) => `${source.name} (${source.file})`,
  );
  const outdated: string[] = [];
  for (const [name, queries] of byName) if (await isOutdated(name, queries)) outdated.push(name);
  if (outdated.length === 0) return undefined;
  return `queries.sql shows these statements as they were: ${outdated.join(', ')}. Run npm run generate:queries.`;
}

async function isOutdated(name: string, queries: readonly Query[]): Promise<boolean> {
  const lib = queries[0]?.source.lib ?? '';
  const printed = await readFile(queriesFile(lib), 'utf8').catch(() => '');
  return (
    printed.includes(`-- ${name}\n`) &&
    !queries.some(({ text }) => printed.includes(`\n${text.trim()};\n`))
  );
}
