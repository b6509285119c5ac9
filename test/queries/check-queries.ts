import { readFile } from 'node:fs/promises';
import { queriesFile, readRecorded, type Query } from './print-queries.ts';

/**
 * Throws if programs have run a statement that is not in `queries.sql` of its lib. Filters and fields give some
 * statements many shapes, of which the file has those that the tests reached when it was written: one of them is enough.
 */
export async function requireCurrentQueries(folder: string): Promise<void> {
  const byName = Map.groupBy(
    await readRecorded(folder),
    ({ source }) => `${source.file} ${source.name}`,
  );
  const outdated: string[] = [];
  for (const [name, queries] of byName) if (!(await isAnyPrinted(queries))) outdated.push(name);
  if (outdated.length === 0) return;
  throw new Error(
    `queries.sql has not these statements: ${outdated.join(', ')}. Run npm run generate:queries.`,
  );
}

async function isAnyPrinted(queries: readonly Query[]): Promise<boolean> {
  const lib = queries[0]?.source.lib ?? '';
  const printed = await readFile(queriesFile(lib), 'utf8').catch(() => '');
  return queries.some(({ text }) => printed.includes(`\n${text.trim()};\n`));
}
