import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Renames the table `webhook_flows` to `webhook_traffic`, the name in the code. During an update or a rollback,
 * programs of two releases run at the same time, so a view offers the table under the other name. A later release drops
 * the view.
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
