import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Outbox1764547204000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Makes an id that contains a time. The services do not make the ids of partitioned rows, because the
      -- time must come from the clock by which partitions are created and dropped.
      CREATE FUNCTION uuidv7_at(at timestamptz) RETURNS uuid LANGUAGE sql VOLATILE AS $$
        -- A random UUID (version 4) with 48 bits of time in front; two bits turn the 4 into a 7.
        SELECT encode(
          set_bit(set_bit(
            overlay(uuid_send(gen_random_uuid()) PLACING
              substring(int8send((extract(epoch FROM at) * 1000)::bigint) FROM 3) FROM 1),
            52, 1), 53, 1),
          'hex')::uuid
      $$;

      -- The last position of a workspace's events. The relay locks the row. The row outlives the workspace,
      -- whose last events need positions, too.
      CREATE TABLE workspace_feeds (
        workspace_id uuid PRIMARY KEY,
        position bigint NOT NULL DEFAULT 0
      ) WITH (fillfactor = 50);

      -- Events that no worker has relayed yet.
      CREATE TABLE outbox (
        workspace_id uuid NOT NULL,
        -- A later event of a resource has a larger number, because its row is inserted after the earlier
        -- event has committed. The clocks of several APIs could not guarantee that.
        number bigint GENERATED ALWAYS AS IDENTITY,
        id uuid NOT NULL,
        kind text NOT NULL,
        resource_id uuid NOT NULL,
        sequence integer NOT NULL,
        data json NOT NULL,
        occurred_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
        -- The next columns are set while an event for very many endpoints is fanned out in parts: the
        -- event's position in its feed, and the last endpoint that the fan-out has reached.
        position bigint,
        relayed_at timestamptz(3),
        fanned_out_to uuid,
        -- The only endpoint that gets the event; null if all matching endpoints get it.
        endpoint_id uuid,
        traceparent text,
        PRIMARY KEY (workspace_id, number)
      ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
      -- Finds a test event that is not relayed yet, so that clients can already read its delivery.
      -- endpoint_id is null for all other events.
      CREATE INDEX outbox_of_endpoint ON outbox (endpoint_id, id) WHERE endpoint_id IS NOT NULL;
      -- This index has few rows: one for each workspace with an event that is being fanned out in parts.
      CREATE INDEX outbox_unfinished ON outbox (workspace_id) WHERE fanned_out_to IS NOT NULL;

      -- The events of each workspace. Their positions are the order in which subscribers read them, without
      -- gaps.
      CREATE TABLE events (
        workspace_id uuid NOT NULL,
        position bigint NOT NULL,
        id uuid NOT NULL,
        kind text NOT NULL,
        resource_id uuid NOT NULL,
        sequence integer NOT NULL,
        data json NOT NULL,
        occurred_at timestamptz(3) NOT NULL,
        relayed_at timestamptz(3) NOT NULL,
        traceparent text,
        PRIMARY KEY (workspace_id, position, relayed_at)
      ) PARTITION BY RANGE (relayed_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE events, outbox, workspace_feeds;
      DROP FUNCTION uuidv7_at;
    `);
  }
}
