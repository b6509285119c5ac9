import { connect } from './connect.js';

// Any number will do, as long as every migration of Galley takes the same one.
const MIGRATION_LOCK = 4_713_862;

/**
 * Brings the schema up to date and gives the names of the migrations that it ran. Several may be
 * started at once (one with each new container): the first does the work, the others wait for it.
 */
export async function migrate(url: string): Promise<string[]> {
  const dataSource = await connect({
    url,
    poolSize: 2,
    applicationName: 'galley migrate',
    // An index on a large table takes as long as it takes.
    statementTimeout: 0,
  });
  const lock = dataSource.createQueryRunner();
  try {
    await lock.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const done = await dataSource.runMigrations();
    return done.map(({ name }) => name);
  } finally {
    // The end of its session gives the lock back.
    await lock.release();
    await dataSource.destroy();
  }
}
