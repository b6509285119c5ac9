import { Injectable } from '@nestjs/common';
import { Database, untilShortChunk } from '#database';
import { PendingDeliveries } from '../delivery/pending-deliveries.js';

const CHUNK_SIZE = 100;

/**
 * Deletes the endpoints of deleted workspaces. Such an endpoint stays until it has received the events about everything
 * that was deleted with its workspace.
 */
@Injectable()
export class OrphanedEndpoints {
  constructor(
    private readonly database: Database,
    private readonly pendingDeliveries: PendingDeliveries,
  ) {}

  /**
   * Deletes the endpoints that have no more events to receive. If such an endpoint is disabled, its held deliveries are
   * deleted with it.
   */
  async deleteFinished(): Promise<void> {
    await untilShortChunk(CHUNK_SIZE, async () => {
      const endpoints = await this.database.query<{ id: string }>(
        `SELECT id FROM webhook_endpoints endpoint WHERE workspace_deleted_at IS NOT NULL
           -- A plan for EXISTS that was made while these tables were empty would read all rows; count() avoids that.
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
