import { rm } from 'node:fs/promises';
import pg from 'pg';

export default async function tearDown() {
  await globalThis.__galleyPooler?.stop();
  const admin = new pg.Client({ connectionString: process.env.GALLEY_TEST_SERVER });
  await admin.connect();
  await admin.query(`DROP DATABASE ${process.env.GALLEY_TEST_TEMPLATE} WITH (FORCE)`);
  await admin.end();
  const postgres = globalThis.__galleyPostgres;
  if (postgres) {
    await postgres.stop();
    await rm(postgres.dataDir, { recursive: true, force: true });
  }
}
