import { isDeepStrictEqual } from 'node:util';
import { Inject, Injectable, Logger } from '@nestjs/common';
import {
  Database,
  Keysets,
  noEvent,
  touched,
  UnitOfWork,
  withEvents,
  type Page,
  type PageRequest,
  type Transaction,
} from '#database';
import { Encryption } from '#encryption';
import { DomainError, entityTag, refuseChanges, type Precondition } from '#errors';
import { event, type EventPattern } from '#events';
import {
  authorise,
  authoriseList,
  callerColumns,
  fromCallerIn,
  rightIn,
  rolesFrom,
  type Actor,
  type CallerRow,
} from '#identity';
import { v7 as uuidv7 } from 'uuid';
import { AddressPolicy } from './addresses.js';
import { hideValues, refuseHidden, restoreValues } from './custom-headers.js';
import { Deliveries } from './deliveries.js';
import type { Delivery } from './delivery.js';
import { checkUrl, isSameOrigin, type UrlPolicy } from './endpoint-url.js';
import { disable, enable } from './endpoint-states.js';
import {
  auditEndpoint,
  changesOf,
  endpointColumns,
  lockEndpoint,
  readEndpoint,
  type Endpoint,
  type EndpointRow,
  type EndpointStatus,
} from './endpoint.js';
import { newSecret } from './secrets.js';
import { WEBHOOKS_OPTIONS, type WebhooksOptions } from './webhooks.options.js';

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

/** Any of the fields, at least one. The read-only ones may be repeated as they were read. */
export type EndpointChange = Partial<Omit<NewEndpoint, 'workspaceId'>> & {
  status?: EndpointStatus;
} & { [Field in ReadOnly]?: unknown };

type ReadOnly = 'id' | 'workspaceId' | 'statusReason' | 'statusSince' | 'createdAt' | 'updatedAt';

// What can be deleted in a part of a second.
const LONG_BACKLOG = 5_000;
// For admins alone, so that a stranger can neither take the lock nor wait for it.
const LOCK_WORKSPACE = `SELECT FROM workspaces WHERE id = $1 AND EXISTS (
    SELECT FROM workspace_members member JOIN users caller ON caller.id = member.user_id
    WHERE member.workspace_id = $1 AND member.user_id = $2 AND caller.status = 'active'
      AND member.role IN (${rolesFrom('admin')})
  ) FOR NO KEY UPDATE`;
const ADMINS_ONLY = 'Requires the admin role in the workspace.';
const NO_EVENT = 'only the status of an endpoint has events';

/** The settings area. All of it takes the role of an admin. */
@Injectable()
export class Endpoints {
  private readonly logger = new Logger(Endpoints.name);
  private readonly urls: UrlPolicy;
  private readonly maxEndpoints: number;

  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
    private readonly keysets: Keysets,
    private readonly encryption: Encryption,
    private readonly deliveries: Deliveries,
    @Inject(WEBHOOKS_OPTIONS)
    { allowedRanges, allowHttp, allowedPorts, maxEndpoints }: WebhooksOptions,
  ) {
    this.maxEndpoints = maxEndpoints;
    this.urls = { addresses: new AddressPolicy(allowedRanges), allowHttp, allowedPorts };
  }

  /** The answer shows the secret. */
  create(actor: Actor, given: NewEndpoint): Promise<Endpoint & { secret: string }> {
    checkUrl(given.url, this.urls);
    return this.unitOfWork.write(async (transaction) => {
      const id = uuidv7();
      const secret = newSecret();
      // A workspace that is being deleted would not know of this endpoint, and of two that are made at
      // the same time the second one has to count the first.
      const locked = transaction.query(LOCK_WORKSPACE, [given.workspaceId, actor.userId]);
      const inserted = transaction.query<CallerRow & EndpointRow>(
        `WITH caller AS (
           SELECT ${callerColumns('workspace.id')} ${fromCallerIn('$2')} WHERE caller.id = $1
         ), endpoint AS (
           INSERT INTO webhook_endpoints (id, workspace_id, url, events, resource_ids, description,
             encrypted_headers, rate_limit, ordered, encrypted_secret)
           SELECT $3, found, $4, $5, $6, $7, $8, $9, $10, $11 FROM caller
           WHERE "callerActive" AND "callerRole" IN (${rolesFrom('admin')}) AND $12 > (
             SELECT count(*) FROM (
               SELECT FROM webhook_endpoints WHERE workspace_id = found LIMIT $12
             ) existing
           )
           RETURNING *
         ), flow AS (
           INSERT INTO webhook_flows (endpoint_id) SELECT id FROM endpoint
         )
         SELECT "callerActive", "callerRole", found, ${endpointColumns}
         FROM caller LEFT JOIN endpoint ON true`,
        [
          ...[actor.userId, given.workspaceId, id, given.url, given.events, given.resourceIds],
          ...[given.description ?? '', this.encryptHeaders(given.headers ?? {}, id)],
          ...[given.rateLimit, given.ordered ?? false, this.encryption.encrypt(secret, id)],
          this.maxEndpoints,
        ],
      );
      const [lock, [row]] = await Promise.all([locked, inserted]);
      const created = authorise(row, 'admin', 'workspace');
      // The caller has become an admin between the two statements.
      if (lock.length === 0) throw DomainError.forbidden(ADMINS_ONLY);
      if ((created.id as string | null) === null) throw this.tooMany();
      const endpoint = this.shown(created);
      transaction.requireForReplay(rightIn(endpoint.workspaceId, 'admin'));
      auditEndpoint(transaction, actor, endpoint, 'webhook.created', { url: endpoint.url });
      return noEvent({ ...endpoint, secret }, NO_EVENT);
    }, actor.once);
  }

  async list(actor: Actor, list: PageRequest & { workspaceId: string }): Promise<Page<Endpoint>> {
    const { workspaceId, cursor, limit } = list;
    const keyset = this.keysets.of(['webhooks', workspaceId]);
    const rows = await this.database.query<CallerRow & EndpointRow>(
      `SELECT ${callerColumns('workspace.id')}, page.* ${fromCallerIn('$2')}
       LEFT JOIN LATERAL (
         SELECT ${endpointColumns} FROM webhook_endpoints endpoint
         WHERE endpoint.workspace_id = member.workspace_id
           AND (endpoint.updated_at, endpoint.id) < ($3, $4)
         ORDER BY endpoint.updated_at DESC, endpoint.id DESC LIMIT $5
       ) page ON true
       WHERE caller.id = $1 ORDER BY page."updatedAt" DESC, page.id DESC`,
      [actor.userId, workspaceId, ...keyset.after(cursor), limit + 1],
    );
    const endpoints = authoriseList(rows, 'admin', 'workspace').map((row) => this.shown(row));
    return keyset.page(endpoints, limit, ({ updatedAt, id }) => [updatedAt, id]);
  }

  async get(actor: Actor, id: string): Promise<Endpoint> {
    return this.shown(await readEndpoint(this.database.query, actor, id));
  }

  async update(
    actor: Actor,
    id: string,
    given: EndpointChange,
    state?: Precondition,
  ): Promise<Endpoint> {
    if (given.status === 'active') await this.deliveries.makeHeldDue(actor, id);
    const { endpoint, isFreed, isEnabled } = await this.unitOfWork.write(async (transaction) => {
      const { query } = transaction;
      const current = await lockEndpoint(query, actor, id, state);
      const { workspaceId, statusReason, statusSince, createdAt, updatedAt } = current;
      const readOnly = { workspaceId, statusReason, statusSince, createdAt, updatedAt };
      refuseChanges(given, { id: current.id, ...readOnly });
      if (given.url !== undefined && given.url !== current.url) {
        checkUrl(given.url, this.urls);
        const isElsewhere = !isSameOrigin(given.url, current.url);
        if (isElsewhere && current.encryptedHeaders !== null) refuseHidden(given.headers);
      }
      const next = { ...current, ...this.columnsOf(given, current) };
      const [row] = await query<EndpointRow>(
        `UPDATE webhook_endpoints AS endpoint
         SET url = $2, events = $3, resource_ids = $4, description = $5, encrypted_headers = $6,
           rate_limit = $7, ordered = $8, updated_at = ${touched}
         WHERE id = $1
           AND (url, events, resource_ids, description, encrypted_headers, rate_limit, ordered)
             IS DISTINCT FROM ($2, $3, $4, $5, $6, $7, $8)
         RETURNING ${endpointColumns}`,
        [
          ...[id, next.url, next.events, next.resourceIds, next.description],
          ...[next.encryptedHeaders, next.rateLimit, next.ordered],
        ],
      );
      const isFreed = current.ordered && !next.ordered;
      const settled = row ?? current;
      if (row) auditEndpoint(transaction, actor, row, 'webhook.updated', changesOf(current, row));
      const changed = await this.changeStatus(transaction, actor, settled, given.status);
      if (changed === undefined) {
        return noEvent({ endpoint: settled, isFreed, isEnabled: false }, NO_EVENT);
      }
      const isEnabled = changed.endpoint.status === 'active';
      return withEvents({ endpoint: changed.endpoint, isFreed, isEnabled }, changed.event);
    });
    if (isFreed) await this.deliveries.release(id);
    if (isEnabled) await this.deliveries.makeDue(id);
    return this.shown(endpoint);
  }

  /**
   * What was still to be sent to the endpoint is gone with it. A long backlog goes first, in parts:
   * whoever relays or delivers waits for the row of an endpoint that is being deleted.
   */
  async delete(actor: Actor, id: string, state?: Precondition): Promise<void> {
    let expected = state;
    for (;;) {
      const left = await this.deleteUnlessLong(actor, id, expected);
      if (left === undefined) return;
      await this.deliveries.clear(id);
      // The state that it was left in, since that which was asked for is gone.
      if (state !== undefined) expected = [entityTag(left)];
    }
  }

  /** Gives the endpoint as it is left, disabled, when it has a long backlog. */
  private deleteUnlessLong(
    actor: Actor,
    id: string,
    state?: Precondition,
  ): Promise<EndpointRow | undefined> {
    return this.unitOfWork.write(async (transaction) => {
      const { query } = transaction;
      const endpoint = await lockEndpoint(query, actor, id, state);
      const [row] = await query<{ isLong: boolean }>(
        `SELECT EXISTS (
           SELECT FROM webhook_deliveries WHERE endpoint_id = $1 OFFSET ${LONG_BACKLOG}
         ) AS "isLong"`,
        [id],
      );
      if (row?.isLong) {
        const changed = await disable(transaction, actor, endpoint);
        return changed ? withEvents(changed.endpoint, changed.event) : noEvent(endpoint, NO_EVENT);
      }
      await query('DELETE FROM webhook_endpoints WHERE id = $1', [id]);
      auditEndpoint(transaction, actor, endpoint, 'webhook.deleted', { url: endpoint.url });
      return noEvent(undefined, NO_EVENT);
    });
  }

  /** An event for this endpoint alone, to see whether it arrives. */
  test(actor: Actor, id: string): Promise<Delivery> {
    return this.unitOfWork.write(async ({ query, requireForReplay }) => {
      const { workspaceId, description, status } = await lockEndpoint(query, actor, id);
      requireForReplay(rightIn(workspaceId, 'admin'));
      if (status === 'disabled') {
        throw DomainError.conflict('The webhook is disabled; enable it to send a test.');
      }
      const [row] = await query<Pick<Delivery, 'id' | 'sequence' | 'createdAt'>>(
        `UPDATE webhook_endpoints SET sequence = sequence + 1 WHERE id = $1
         RETURNING uuidv7_at(now()) AS id, sequence, now() AS "createdAt"`,
        [id],
      );
      if (row === undefined) throw new Error('An endpoint vanished while it was locked.');
      const test = event('webhook.test', row.sequence, { id, workspaceId, description });
      const delivery: Delivery = {
        ...row,
        eventId: row.id,
        event: test.kind,
        resourceId: id,
        status: 'pending',
        attempts: 0,
        nextAttemptAt: row.createdAt,
        finishedAt: null,
        lastAttempt: null,
      };
      return withEvents(delivery, { ...test, id: row.id, endpointId: id });
    }, actor.once);
  }

  private tooMany(): DomainError {
    return DomainError.conflict(
      `The workspace has ${this.maxEndpoints} webhooks, which is the limit; delete one that is not needed.`,
    );
  }

  /** As it is shown: the values of headers stay hidden. */
  shown({ encryptedHeaders, ...endpoint }: EndpointRow): Endpoint {
    const headers = hideValues(this.decryptHeaders(encryptedHeaders, endpoint.id));
    return { ...endpoint, headers };
  }

  private columnsOf(
    { url, events, resourceIds, description, headers, rateLimit, ordered }: EndpointChange,
    { id, encryptedHeaders, url: currentUrl }: EndpointRow,
  ): Partial<EndpointRow> {
    const plain = { url, events, resourceIds, description, rateLimit, ordered };
    const given = Object.fromEntries(
      Object.entries(plain).filter(([, value]) => value !== undefined),
    ) as Partial<EndpointRow>;
    if (headers === undefined) return given;
    const current = this.decryptHeaders(encryptedHeaders, id);
    const next = restoreValues(headers, current);
    // Encrypted anew it would look like a change. Elsewhere nothing goes that could not be read.
    const staysHere = url === undefined || isSameOrigin(url, currentUrl);
    if (staysHere && isDeepStrictEqual(next, current)) return given;
    return { ...given, encryptedHeaders: this.encryptHeaders(next, id) };
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
    const become = status === 'active' ? enable : disable;
    return become(transaction, actor, endpoint);
  }

  private encryptHeaders(headers: Record<string, string>, id: string): string | null {
    if (Object.keys(headers).length === 0) return null;
    return this.encryption.encrypt(JSON.stringify(headers), id);
  }

  /** None when SECRETS_KEY is no longer theirs: they can be given anew, and all else be read. */
  private decryptHeaders(encrypted: string | null, id: string): Record<string, string> {
    if (encrypted === null) return {};
    try {
      return JSON.parse(this.encryption.decrypt(encrypted, id)) as Record<string, string>;
    } catch (error) {
      this.logger.error({ err: error, stage: 'decrypt headers', endpointId: id });
      return {};
    }
  }
}
