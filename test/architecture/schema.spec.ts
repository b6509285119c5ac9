import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import pg from 'pg';
import { migrate } from '#database';
import { startPostgres } from '../../apps/standalone/postgres/postgres.js';
import { printSchema } from './print-schema.js';

const SCHEMA_FILE = 'libs/database/schema.sql';

it('libs/database/schema.sql is current (else: npm run generate)', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'galley-schema-'));
  const postgres = await startPostgres({ dataDir, flags: ['-c', 'fsync=off'] });
  try {
    const url = postgres.urlOf('postgres');
    await migrate(url);
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const schema = await printSchema(client);
    await client.end();
    if (process.env['GENERATE']) await writeFile(SCHEMA_FILE, schema);
    expect(await readFile(SCHEMA_FILE, 'utf8')).toBe(schema);
  } finally {
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}, 60_000);
