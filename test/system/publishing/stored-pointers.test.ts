import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createDatabase, type TestDatabase } from '../../support/galley/database.js';

const idOf = (n: number) => `00000000-0000-7000-8000-00000000000${n}`;
const [USER, WORKSPACE] = [idOf(1), idOf(2)];

let database: TestDatabase;

beforeAll(async () => {
  database = await createDatabase();
  await database.query(`
    INSERT INTO users (id, issuer, subject) VALUES ('${USER}', 'i', 's');
    INSERT INTO workspaces (id, name) VALUES ('${WORKSPACE}', 'Kitchen')`);
});
afterAll(() => database.drop());

/** A template that is published, and has a scheduled publication. */
const insertPublished = (n: number) =>
  database.query(`
    SELECT set_config('galley.no_event', 'not under test', true);
    INSERT INTO documents (id, kind, workspace_id, name, events, created_at, updated_at)
      VALUES ('${idOf(n)}', 'template', '${WORKSPACE}', 'A', 2, now(), now());
    INSERT INTO document_versions (document_id, kind, version, name, content, content_bytes, created_at)
      VALUES ('${idOf(n)}', 'template', 1, 'A', '{}', 2, now());
    INSERT INTO environments (workspace_id, name) VALUES ('${WORKSPACE}', 'production')
      ON CONFLICT DO NOTHING;
    INSERT INTO template_pointers (template_id, environment, workspace_id, version, number, published_at)
      VALUES ('${idOf(n)}', 'production', '${WORKSPACE}', 1, 2, now());
    INSERT INTO scheduled_publications (id, template_id, environment, workspace_id, version, note, at,
      created_by, created_at) VALUES (gen_random_uuid(), '${idOf(n)}', 'production', '${WORKSPACE}', 1, '',
      now(), '${USER}', now())`);

const deleteTemplate = (n: number) =>
  database.query(`
    SELECT set_config('galley.no_event', 'not under test', true);
    DELETE FROM documents WHERE id = '${idOf(n)}'`);

it('nothing is scheduled for a template that is deleted, and its pointer stays', async () => {
  await insertPublished(3);
  await insertPublished(4);
  await deleteTemplate(3);
  expect(await database.query('SELECT template_id AS id FROM scheduled_publications')).toEqual([
    { id: idOf(4) },
  ]);
  expect(await database.count('template_pointers')).toBe(2);
});

it('a version that is published cannot disappear alone', async () => {
  await insertPublished(5);
  const pointers = `template_pointers WHERE template_id = '${idOf(5)}'`;
  const dangling = `UPDATE template_pointers SET version = 7 WHERE template_id = '${idOf(5)}'`;
  await expect(database.query(dangling)).rejects.toThrow('foreign key');
  await database.query(`DELETE FROM document_versions WHERE document_id = '${idOf(5)}'`);
  expect(await database.count(pointers)).toBe(0);
});
