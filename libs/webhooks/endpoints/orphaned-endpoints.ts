import { Injectable } from '@nestjs/common';
import { Database, untilShortChunk } from '#database';
import { PendingDeliveries } from '../delivery/pending-deliveries.js';

const CHUNK_SIZE = 100;

/**
 * Endpoints of deleted workspaces. They stay until they have been notified of what was deleted with the
 * workspace.
 */
@Injectable()
export class OrphanedEndpoints {
  constructor(
    private readonly database: Database,
    private readonly pendingDeliveries: PendingDeliveries,
  ) {}

  /**
   * Deletes the endpoints that have nothing left to receive. Deliveries that a disabled endpoint holds are
   * deleted with it.
   */
  async deleteFinished(): Promise<void> {
    await untilShortChunk(CHUNK_SIZE, async () => {
      const endpoints = await this.database.query<{ id: string }>(
        `SELECT id FROM webhook_endpoints endpoint WHERE workspace_deleted_at IS NOT NULL
           -- count() keeps a plan that was made while these tables were empty from reading all of them.
           AND 0 = (SELECT count(*) FROM (
             SELECT FROM outbox WHERE workspace_id = endpoint.workspace_id LIMIT 1) event)
           AND (status = 'disabled' OR 0 = (SELECT count(*) FROM (
             SELECT FROM webhook_deliveries WHERE endpoint_id = endpoint.id LIMIT 1) delivery))
         ORDER BY workspace_deleted_at LIMIT ${CHUNK_SIZE}`,
      );
      for (const { id } of endpoints) {
        await this.pendingDeliveries.deleteAll(id);
        await this.database.query('DELETE FROM webhook_endpoints WHERE id = $1', [id]);
      }
      return endpoints.length;
    });
  }
}
