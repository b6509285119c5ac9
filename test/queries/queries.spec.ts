import { glob, readFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import { findSource, readSqlSources } from './sql-sources.ts';

const HEADER = /^-- (\w+)(?:, shape \d+)? \((libs\/\S+)\)$/m;

it('each statement of queries.sql is made of the SQL that it names (else: npm run generate:queries)', async () => {
  const sources = await readSqlSources();
  const found: string[] = [];
  const named: string[] = [];
  for await (const file of glob('libs/*/queries.sql')) {
    const [, ...parts] = (await readFile(file, 'utf8')).split(HEADER);
    for (let at = 0; at < parts.length; at += 3) {
      const [name, path, rest = ''] = parts.slice(at, at + 3);
      const statement = rest.replace(/^(?:\n?-- (?:Parameters|Writes|Locks): .*)*\n/, '').trim();
      const source = findSource(statement.replace(/;$/, ''), sources);
      named.push(`${name} (${path})`);
      found.push(`${source?.name} (${source?.file})`);
    }
  }
  expect(found).toEqual(named);
  expect(named.length).toBeGreaterThan(100);
});
