import { isDeepStrictEqual } from 'node:util';
import { Inject, Injectable, Logger } from '@nestjs/common';
import {
  Database,
  Keysets,
  noEvent,
  UnitOfWork,
  withEvents,
  type Page,
  type Transaction,
} from '#database';
import { Encryption } from '#encryption';
import { DomainError, entityTag, rejectReadOnlyChanges, type Precondition } from '#errors';
import type { EventPattern } from '#events';
import { authorise, rightIn, type Actor, type CallerRow, newIdFor } from '#workspaces';
import { AddressPolicy } from '../sending/address-policy.js';
import {
  decryptHeaders,
  encryptHeaders,
  redactValues,
  requireAllValues,
  restoreRedactedValues,
} from '../sending/custom-headers.js';
import { PendingDeliveries } from '../delivery/pending-deliveries.js';
import { assertUrlAllowed, isSameOrigin, type UrlPolicy } from '../sending/endpoint-url.js';
import { disableEndpoint, enableEndpoint, endHeldBackoff } from './endpoint-lifecycle.js';
import {
  auditEndpoint,
  diffEndpoints,
  lockEndpoint,
  readEndpoint,
  type Endpoint,
  type EndpointRow,
} from './endpoint.js';
import type { EndpointStatus } from '../delivery/endpoint-status.js';
import { generateSecret } from '../sending/signing-keys-cache.js';
import { listEndpoints, type EndpointsRequest, type ListedEndpoint } from './list-endpoints.js';
import { INSERT_ENDPOINT, LOCK_WORKSPACE_AS_ADMIN, UPDATE_ENDPOINT } from './write-endpoint.sql.js';
import { WEBHOOKS_OPTIONS, type WebhooksOptions } from '../sending/webhooks.options.js';

export interface NewEndpoint {
  workspaceId: string;
  url: string;
  events: EventPattern[];
  resourceIds?: string[] | null;
  description?: string;
  headers?: Record<string, string>;
  rateLimit?: number | null;
  ordered?: boolean;
}

/**
 * The fields to change. Read-only fields are accepted if they are unchanged, so that a client may send back an endpoint
 * that it has read.
 */
export type EndpointChange = Partial<Omit<NewEndpoint, 'workspaceId'>> & {
  status?: EndpointStatus;
} & { [Field in ReadOnlyField]?: unknown };

type ReadOnlyField =
  'id' | 'workspaceId' | 'statusReason' | 'statusSince' | 'createdAt' | 'updatedAt';

// This many deliveries can be deleted in less than a second.
const LARGE_BACKLOG_SIZE = 5_000;
const ADMIN_REQUIRED = 'Requires the admin role in the workspace.';
const NO_EVENT_REASON = 'only status changes of endpoints create events';

/** Manages endpoints and their settings. Every method requires the `admin` role in the workspace. */
@Injectable()
export class Endpoints {
  private readonly logger = new Logger(Endpoints.name);
  private readonly urlPolicy: UrlPolicy;
  private readonly maxEndpoints: number;

  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
    private readonly keysets: Keysets,
    private readonly encryption: Encryption,
    private readonly pendingDeliveries: PendingDeliveries,
    @Inject(WEBHOOKS_OPTIONS)
    { allowedRanges, allowHttp, allowedPorts, maxEndpoints }: WebhooksOptions,
  ) {
    this.maxEndpoints = maxEndpoints;
    this.urlPolicy = { addressPolicy: new AddressPolicy(allowedRanges), allowHttp, allowedPorts };
  }

  /** Creates an endpoint. The returned secret is in plain text. */
  create(actor: Actor, input: NewEndpoint): Promise<Endpoint & { secret: string }> {
    return this.unitOfWork.write(async (transaction) => {
      const id = newIdFor(input.workspaceId);
      const secret = generateSecret();
      // Without the lock, a concurrent deletion of the workspace could miss this endpoint, and two concurrent requests
      // could exceed the limit.
      const locking = transaction.query(LOCK_WORKSPACE_AS_ADMIN, [input.workspaceId, actor.userId]);
      const inserting = transaction.query<CallerRow & EndpointRow>(INSERT_ENDPOINT, [
        actor.userId,
        input.workspaceId,
        id,
        input.url,
        input.events,
        input.resourceIds,
        input.description ?? '',
        encryptHeaders(this.encryption, input.headers ?? {}, id),
        input.rateLimit,
        input.ordered ?? false,
        this.encryption.encrypt(secret, id),
        this.maxEndpoints,
      ]);
      const [lockedRows, [row]] = await Promise.all([locking, inserting]);
      const created = authorise(row, 'admin', 'workspace');
      // If the first statement locked nothing, the caller became an admin between the two statements.
      if (lockedRows.length === 0) throw DomainError.forbidden(ADMIN_REQUIRED);
      // The URL is checked after the role, because only admins may learn which hosts the operator allows.
      assertUrlAllowed(input.url, this.urlPolicy);
      if ((created.id as string | null) === null) {
        throw new DomainError(
          'limit_reached',
          `The workspace has ${this.maxEndpoints} webhooks, which is the limit; delete one that you no longer need.`,
        );
      }
      const endpoint = this.toEndpoint(created);
      transaction.requireForReplay(rightIn(endpoint.workspaceId, 'admin'));
      auditEndpoint(transaction, actor, endpoint, 'webhook.created', { url: endpoint.url });
      return noEvent({ ...endpoint, secret }, NO_EVENT_REASON);
    }, actor.idempotencyKey);
  }

  list(actor: Actor, request: EndpointsRequest): Promise<Page<ListedEndpoint>> {
    const keyset = this.keysets.forList(['webhooks', request.workspaceId]);
    const toEndpoint = (row: EndpointRow) => this.toEndpoint(row);
    return listEndpoints(this.database.query, keyset, actor, request, toEndpoint);
  }

  async get(actor: Actor, id: string): Promise<Endpoint> {
    return this.toEndpoint(await readEndpoint(this.database.query, actor, id));
  }

  async update(
    actor: Actor,
    id: string,
    change: EndpointChange,
    precondition?: Precondition,
  ): Promise<Endpoint> {
    if (change.status === 'active')
      await endHeldBackoff(this.database.query, this.pendingDeliveries, actor, id);
    const { endpoint, isUnordered, isEnabled } = await this.unitOfWork.write(
      async (transaction) => {
        const { query } = transaction;
        const current = await lockEndpoint(query, actor, id, precondition);
        const { workspaceId, statusReason, statusSince, createdAt, updatedAt } = current;
        const readOnly = { workspaceId, statusReason, statusSince, createdAt, updatedAt };
        rejectReadOnlyChanges(change, { id: current.id, ...readOnly });
        if (change.url !== undefined && change.url !== current.url) {
          assertUrlAllowed(change.url, this.urlPolicy);
          const isOriginChanged = !isSameOrigin(change.url, current.url);
          if (isOriginChanged && current.encryptedHeaders !== null)
            requireAllValues(change.headers);
        }
        const next = { ...current, ...this.pickChangedColumns(change, current) };
        const [row] = await query<EndpointRow>(UPDATE_ENDPOINT, [
          id,
          next.url,
          next.events,
          next.resourceIds,
          next.description,
          next.encryptedHeaders,
          next.rateLimit,
          next.ordered,
        ]);
        const isUnordered = current.ordered && !next.ordered;
        const updated = row ?? current;
        if (row)
          auditEndpoint(transaction, actor, row, 'webhook.updated', diffEndpoints(current, row));
        const statusChange = await this.changeStatus(transaction, actor, updated, change.status);
        if (statusChange === undefined) {
          return noEvent({ endpoint: updated, isUnordered, isEnabled: false }, NO_EVENT_REASON);
        }
        const isEnabled = statusChange.endpoint.status === 'active';
        return withEvents(
          { endpoint: statusChange.endpoint, isUnordered, isEnabled },
          statusChange.event,
        );
      },
    );
    if (isUnordered) await this.pendingDeliveries.releaseOrdered(id);
    if (isEnabled) await this.pendingDeliveries.endBackoff(id);
    return this.toEndpoint(endpoint);
  }

  /**
   * Deletes the endpoint and its pending deliveries. A large backlog is deleted beforehand, in chunks, so that the
   * final transaction is short: the relay and the workers wait for the locks of that transaction.
   */
  async delete(actor: Actor, id: string, precondition?: Precondition): Promise<void> {
    let currentPrecondition = precondition;
    for (;;) {
      const disabledEndpoint = await this.deleteOrDisable(actor, id, currentPrecondition);
      if (disabledEndpoint === undefined) return;
      await this.pendingDeliveries.deleteAll(id);
      // The caller's ETag is no longer current, because disabling has changed the endpoint.
      if (precondition !== undefined) currentPrecondition = [entityTag(disabledEndpoint)];
    }
  }

  /** Deletes the endpoint. If the backlog is large, the method disables and returns the endpoint instead. */
  private deleteOrDisable(
    actor: Actor,
    id: string,
    precondition?: Precondition,
  ): Promise<EndpointRow | undefined> {
    return this.unitOfWork.write(async (transaction) => {
      const { query } = transaction;
      const endpoint = await lockEndpoint(query, actor, id, precondition);
      const [row] = await query<{ hasLargeBacklog: boolean }>(
        `SELECT EXISTS (
           SELECT FROM webhook_deliveries WHERE endpoint_id = $1 OFFSET ${LARGE_BACKLOG_SIZE}
         ) AS "hasLargeBacklog"`,
        [id],
      );
      if (row?.hasLargeBacklog) {
        const statusChange = await disableEndpoint(transaction, actor, endpoint);
        return statusChange
          ? withEvents(statusChange.endpoint, statusChange.event)
          : noEvent(endpoint, NO_EVENT_REASON);
      }
      await query('DELETE FROM webhook_endpoints WHERE id = $1', [id]);
      auditEndpoint(transaction, actor, endpoint, 'webhook.deleted', { url: endpoint.url });
      return noEvent(undefined, NO_EVENT_REASON);
    });
  }

  /** Converts a row to the endpoint that the API returns, with redacted header values. */
  toEndpoint({ encryptedHeaders, ...endpoint }: EndpointRow): Endpoint {
    const headers = redactValues(this.readHeaders(encryptedHeaders, endpoint.id));
    return { ...endpoint, headers };
  }

  private pickChangedColumns(
    { url, events, resourceIds, description, headers, rateLimit, ordered }: EndpointChange,
    { id, encryptedHeaders, url: currentUrl }: EndpointRow,
  ): Partial<EndpointRow> {
    const plainFields = { url, events, resourceIds, description, rateLimit, ordered };
    const inputFields = Object.fromEntries(
      Object.entries(plainFields).filter(([, value]) => value !== undefined),
    ) as Partial<EndpointRow>;
    if (headers === undefined) return inputFields;
    const current = this.readHeaders(encryptedHeaders, id);
    const next = restoreRedactedValues(headers, current);
    // Unchanged headers keep their ciphertext, because a new ciphertext would look like a change. If the origin
    // changes, the headers are replaced in any case: headers that cannot be decrypted look empty here, so they could
    // seem unchanged, but must not be sent to another origin.
    const isOriginKept = url === undefined || isSameOrigin(url, currentUrl);
    if (isOriginKept && isDeepStrictEqual(next, current)) return inputFields;
    return { ...inputFields, encryptedHeaders: encryptHeaders(this.encryption, next, id) };
  }

  private changeStatus(
    transaction: Transaction,
    actor: Actor,
    endpoint: EndpointRow,
    status = endpoint.status,
  ) {
    if (status === endpoint.status) return undefined;
    if (status === 'failing') {
      throw DomainError.invalid('status', 'status must be active or disabled');
    }
    const apply = status === 'active' ? enableEndpoint : disableEndpoint;
    return apply(transaction, actor, endpoint);
  }

  /**
   * Returns an empty object if the headers cannot be decrypted, so that the rest of the endpoint stays readable. A
   * member can then set the headers again.
   */
  private readHeaders(encrypted: string | null, id: string): Record<string, string> {
    try {
      return decryptHeaders(this.encryption, encrypted, id);
    } catch (error) {
      this.logger.error({ err: error, stage: 'decrypt headers', endpointId: id });
      return {};
    }
  }
}
