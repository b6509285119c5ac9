import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ContentBytes1763683213200 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- The services lock these tables in the same order, so that no deadlock happens. The locks are held
      -- for a moment only, because no table is rewritten.
      LOCK TABLE modules, template_versions IN ACCESS EXCLUSIVE MODE;

      -- The size of a document. Without reading the document, PostgreSQL knows only the compressed size,
      -- but pages are limited by the uncompressed size. NULL in rows that are older than this column.
      ALTER TABLE modules ADD COLUMN content_bytes integer;
      ALTER TABLE template_versions ADD COLUMN content_bytes integer;

      CREATE FUNCTION measure_content() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.content_bytes := octet_length(NEW.content::text);
        RETURN NEW;
      END $$;
      CREATE TRIGGER measure_content BEFORE INSERT OR UPDATE OF content ON modules
        FOR EACH ROW EXECUTE FUNCTION measure_content();
      CREATE TRIGGER measure_content BEFORE INSERT ON template_versions
        FOR EACH ROW EXECUTE FUNCTION measure_content();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER measure_content ON template_versions;
      DROP TRIGGER measure_content ON modules;
      DROP FUNCTION measure_content;
      ALTER TABLE template_versions DROP COLUMN content_bytes;
      ALTER TABLE modules DROP COLUMN content_bytes;
    `);
  }
}
