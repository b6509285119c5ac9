import { Injectable } from '@nestjs/common';
import { Database } from '#database';
import { Deliveries } from './deliveries.js';

const BATCH = 100;

/** The endpoints of deleted workspaces, which go once they have been told what was deleted. */
@Injectable()
export class Farewell {
  constructor(
    private readonly database: Database,
    private readonly deliveries: Deliveries,
  ) {}

  /** Deletes those to which nothing is sent any more. What one that is disabled holds goes as well. */
  async complete(): Promise<void> {
    for (let last = BATCH; last === BATCH;) {
      const endpoints = await this.database.query<{ id: string }>(
        `SELECT id FROM webhook_endpoints endpoint WHERE workspace_deleted_at IS NOT NULL
           -- Counted, so that no plan made while these tables were empty reads all of them.
           AND 0 = (SELECT count(*) FROM (
             SELECT FROM outbox WHERE workspace_id = endpoint.workspace_id LIMIT 1) event)
           AND (status = 'disabled' OR 0 = (SELECT count(*) FROM (
             SELECT FROM webhook_deliveries WHERE endpoint_id = endpoint.id LIMIT 1) delivery))
         ORDER BY workspace_deleted_at LIMIT ${BATCH}`,
      );
      for (const { id } of endpoints) {
        await this.deliveries.clear(id);
        await this.database.query('DELETE FROM webhook_endpoints WHERE id = $1', [id]);
      }
      last = endpoints.length;
    }
  }
}
