import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from 'pg';
import { describeStatement } from './describe-statement.ts';
import { findSource, readSqlSources, type SqlSource } from './sql-sources.ts';

/** A statement as PostgreSQL gets it, with the source that it was made of. */
export interface Query {
  source: SqlSource;
  text: string;
}

export const queriesFile = (lib: string): string => `libs/${lib}/queries.sql`;

/** The statements that programs have recorded in a folder, by lib, file and name. */
export async function readRecorded(folder: string): Promise<Query[]> {
  const sources = await readSqlSources();
  const texts = new Set<string>();
  for (const file of await readdir(folder)) {
    const lines = (await readFile(join(folder, file), 'utf8')).trimEnd().split('\n');
    for (const line of lines) texts.add(JSON.parse(line) as string);
  }
  const queries = [...texts].map((text) => {
    const source = findSource(text.trim(), sources);
    if (source === undefined)
      throw new Error(`No SQL in libs begins and ends as this statement does: ${text}`);
    return { source, text };
  });
  const keyOf = ({ source, text }: Query) =>
    [source.lib, source.file, source.name, text].join('\0');
  return queries.sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}

/** @param client of a migrated database. */
export async function printQueries(client: Client, queries: readonly Query[]): Promise<string> {
  const parts = [HEADER];
  let shape = 0;
  for (const [index, { source, text }] of queries.entries()) {
    const previous = queries[index - 1]?.source;
    shape = previous?.file === source.file && previous.name === source.name ? shape + 1 : 1;
    const { parameters, writes, locks } = await describeStatement(client, text);
    const facts = [
      `-- ${source.name}${shape === 1 ? '' : `, shape ${shape}`} (${source.file})`,
      parameters.length > 0 &&
        `-- Parameters: ${parameters.map((type, at) => `$${at + 1} ${type}`).join(', ')}`,
      writes.length > 0 && `-- Writes: ${writes.join(', ')}`,
      locks.length > 0 && `-- Locks: ${locks.join(', ')}`,
    ];
    parts.push([...facts.filter(Boolean), `${text.trim()};`].join('\n'));
  }
  return `${parts.join('\n\n')}\n`;
}

const HEADER = `-- The statements of this lib as PostgreSQL gets them, for people to read. The tests of the API have run them.
-- Writes lock the rows that they change; "Locks" names all other locks. \`npm run generate:queries\` writes this file.`;
