import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Gives the table the name that the code uses. During an update or a rollback, programs of the other release use the
 * table through a view with its other name; a later release drops the view.
 */
export class WebhookTraffic1764547209000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP VIEW IF EXISTS webhook_traffic;
      ALTER TABLE webhook_flows RENAME TO webhook_traffic;
      ALTER TABLE webhook_traffic RENAME CONSTRAINT webhook_flows_pkey TO webhook_traffic_pkey;
      ALTER TABLE webhook_traffic
        RENAME CONSTRAINT webhook_flows_endpoint_id_fkey TO webhook_traffic_endpoint_id_fkey;
      ALTER INDEX webhook_flows_wake RENAME TO webhook_traffic_wake;
      CREATE VIEW webhook_flows AS SELECT * FROM webhook_traffic;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP VIEW webhook_flows;
      ALTER INDEX webhook_traffic_wake RENAME TO webhook_flows_wake;
      ALTER TABLE webhook_traffic
        RENAME CONSTRAINT webhook_traffic_endpoint_id_fkey TO webhook_flows_endpoint_id_fkey;
      ALTER TABLE webhook_traffic RENAME CONSTRAINT webhook_traffic_pkey TO webhook_flows_pkey;
      ALTER TABLE webhook_traffic RENAME TO webhook_flows;
      CREATE VIEW webhook_traffic AS SELECT * FROM webhook_flows;
    `);
  }
}
