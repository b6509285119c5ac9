import { Injectable } from '@nestjs/common';
import { noEvent, UnitOfWork, withEvents, type Transaction } from '#database';
import { DomainError } from '#errors';
import { PendingDeliveries } from '../delivery/pending-deliveries.js';
import { disableEndpoint, enableEndpoint, type Operator } from './endpoint-lifecycle.js';
import { ENDPOINT_COLUMNS, type EndpointRow } from './endpoint.js';

const LOCK_ENDPOINT = `SELECT ${ENDPOINT_COLUMNS} FROM webhook_endpoints endpoint
  WHERE id = $1 AND workspace_deleted_at IS NULL FOR UPDATE`;

const operator = (reason: string): Operator => ({ userId: null, ipAddress: null, reason });

/**
 * Lets the operator of Galley pause and resume any endpoint, without a role in its workspace. The audit log, the status
 * of the endpoint and the event say that the operator acted, and give the reason.
 */
@Injectable()
export class OperatorActions {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly pendingDeliveries: PendingDeliveries,
  ) {}

  /** Disables the endpoint, so that its deliveries are held. Returns false if the endpoint was already disabled. */
  pause(id: string, reason: string): Promise<boolean> {
    return this.change(id, (transaction, endpoint) =>
      disableEndpoint(transaction, operator(reason), endpoint),
    );
  }

  /** Enables the endpoint and sends its held deliveries. Returns false if the endpoint was already active. */
  async resume(id: string, reason: string): Promise<boolean> {
    const isResumed = await this.change(id, (transaction, endpoint) =>
      enableEndpoint(transaction, operator(reason), endpoint),
    );
    if (isResumed) await this.pendingDeliveries.endBackoff(id);
    return isResumed;
  }

  private change(
    id: string,
    apply: (transaction: Transaction, endpoint: EndpointRow) => ReturnType<typeof disableEndpoint>,
  ): Promise<boolean> {
    return this.unitOfWork.write(async (transaction) => {
      const [endpoint] = await transaction.query<EndpointRow>(LOCK_ENDPOINT, [id]);
      if (endpoint === undefined) throw DomainError.notFound('webhook');
      const change = await apply(transaction, endpoint);
      return change === undefined
        ? noEvent(false, 'the endpoint has this status already')
        : withEvents(true, change.event);
    });
  }
}
