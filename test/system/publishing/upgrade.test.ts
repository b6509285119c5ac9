import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { migrate, migrations } from '#database';
import { DataSource } from 'typeorm';
import { createDatabase, type TestDatabase } from '../../support/galley/database.js';

const idOf = (n: number) => `00000000-0000-7000-8000-00000000000${n}`;

let database: TestDatabase;

beforeAll(async () => {
  database = await createDatabase('template0');
  const before = migrations.findIndex(({ name }) => name.startsWith('Publishing'));
  const dataSource = new DataSource({
    type: 'postgres',
    url: database.url,
    migrations: migrations.slice(0, before),
    migrationsTransactionMode: 'each',
  });
  await dataSource.initialize();
  await dataSource.runMigrations();
  await dataSource.destroy();
  await database.query(`
    INSERT INTO users (id, issuer, subject) VALUES ('${idOf(1)}', 'i', 's');
    INSERT INTO workspaces (id, name) VALUES ('${idOf(2)}', 'Kitchen')`);
  await insertTemplate(3);
  await migrate(database.url);
});
afterAll(() => database.drop());

/** Like a service of the previous version. */
const insertTemplate = (n: number) =>
  database.query(`
    INSERT INTO templates (id, workspace_id, name) VALUES ('${idOf(n)}', '${idOf(2)}', 'A');
    INSERT INTO template_versions (template_id, version, name, content, created_by)
      VALUES ('${idOf(n)}', 1, 'A', '{}', '${idOf(1)}')`);

const publish = (n: number) =>
  database.query(`
    INSERT INTO environments (workspace_id, name) VALUES ('${idOf(2)}', 'production')
      ON CONFLICT DO NOTHING;
    UPDATE templates SET unversioned_events = unversioned_events + 1 WHERE id = '${idOf(n)}';
    INSERT INTO template_pointers (template_id, environment, workspace_id, version, number, published_at)
      VALUES ('${idOf(n)}', 'production', '${idOf(2)}', 1, 1, now());
    INSERT INTO scheduled_publications (id, template_id, environment, workspace_id, version, note, at,
      created_by, created_at) VALUES (gen_random_uuid(), '${idOf(n)}', 'production', '${idOf(2)}', 1, '',
      now(), '${idOf(1)}', now());
    INSERT INTO publication_turns (workspace_id, next_at) VALUES ('${idOf(2)}', now())
      ON CONFLICT DO NOTHING`);

it('services of the previous version change and delete what is published', async () => {
  await insertTemplate(4);
  await publish(3);
  await publish(4);
  await database.query(`UPDATE templates SET name = 'B', version = version + 1 WHERE id = $1`, [
    idOf(3),
  ]);
  const counters = 'SELECT version, unversioned_events FROM templates ORDER BY id';
  expect(await database.query(counters)).toEqual([
    { version: 2, unversioned_events: 1 },
    { version: 1, unversioned_events: 1 },
  ]);
  await database.query('DELETE FROM templates WHERE id = $1', [idOf(3)]);
  expect(await database.count('scheduled_publications')).toBe(1);
  // The deletion of a workspace, with force.
  await database.query('DELETE FROM templates WHERE workspace_id = $1', [idOf(2)]);
  await database.query('DELETE FROM workspaces WHERE id = $1', [idOf(2)]);
  const tables = ['environments', 'template_pointers', 'scheduled_publications'];
  for (const table of [...tables, 'publication_turns']) {
    expect(await database.count(table)).toBe(0);
  }
});

it('a version that is published cannot disappear alone', async () => {
  await database.query(`INSERT INTO workspaces (id, name) VALUES ('${idOf(2)}', 'Kitchen')`);
  await insertTemplate(5);
  await publish(5);
  const dangling = `UPDATE template_pointers SET version = 7 WHERE template_id = '${idOf(5)}'`;
  await expect(database.query(dangling)).rejects.toThrow('foreign key');
  await database.query(`DELETE FROM template_versions WHERE template_id = '${idOf(5)}'`);
  expect(await database.count('template_pointers')).toBe(0);
});
