import { isIP } from 'node:net';
import { Inject, Injectable } from '@nestjs/common';
import {
  Database,
  Keyset,
  noEvent,
  UnitOfWork,
  type Page,
  type PageRequest,
  type Transaction,
} from '#database';
import { DomainError, refuseChanges } from '#errors';
import type { EventKind } from '#events';
import {
  authorise,
  authoriseList,
  callerColumns,
  fromCallerIn,
  joinMember,
  rolesFrom,
  type Actor,
  type CallerRow,
} from '#identity';
import { v7 as uuidv7 } from 'uuid';
import { AddressPolicy } from './addresses.js';
import { Secrets } from './secrets.js';
import { WEBHOOKS_OPTIONS, type WebhooksOptions } from './webhooks.options.js';

/** Where a subscriber wants to be told of which events. */
export interface Endpoint {
  id: string;
  workspaceId: string;
  url: string;
  events: EventKind[];
  description: string;
  /** The events of a disabled endpoint are held, and sent when it is active again. */
  status: EndpointStatus;
  createdAt: Date;
  updatedAt: Date;
}

export const endpointStatuses = ['active', 'disabled'] as const;
export type EndpointStatus = (typeof endpointStatuses)[number];

export interface NewEndpoint {
  workspaceId: string;
  url: string;
  events: EventKind[];
  description?: string;
}

/** Any of the fields, at least one. The read-only ones may be repeated as they were read. */
export type EndpointChange = Partial<
  Pick<Endpoint, 'url' | 'events' | 'description' | 'status'>
> & {
  [Field in 'id' | 'workspaceId' | 'createdAt' | 'updatedAt']?: unknown;
};

const columns = `endpoint.id, endpoint.workspace_id AS "workspaceId", endpoint.url, endpoint.events,
  endpoint.description, endpoint.status,
  endpoint.created_at AS "createdAt", endpoint.updated_at AS "updatedAt"`;

const load = `SELECT ${callerColumns('endpoint.id')}, ${columns} FROM users caller
  LEFT JOIN webhook_endpoints endpoint ON endpoint.id = $2
  ${joinMember('endpoint.workspace_id')}
  WHERE caller.id = $1`;

const NO_EVENT = 'webhook endpoints have no events';

/** The settings area. All of it takes the role of an admin. */
@Injectable()
export class Endpoints {
  private readonly policy: AddressPolicy;

  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
    private readonly secrets: Secrets,
    @Inject(WEBHOOKS_OPTIONS) private readonly options: WebhooksOptions,
  ) {
    this.policy = new AddressPolicy(options.allowedRanges);
  }

  /** The answer is the only one that shows the secret. */
  create(actor: Actor, given: NewEndpoint): Promise<Endpoint & { secret: string }> {
    this.checkUrl(given.url);
    return this.unitOfWork.write(async ({ query }) => {
      const id = uuidv7();
      const secret = this.secrets.generate();
      const [row] = await query<CallerRow & Endpoint>(
        `WITH caller AS (
           SELECT ${callerColumns('workspace.id')} ${fromCallerIn('$2')} WHERE caller.id = $1
         ), endpoint AS (
           INSERT INTO webhook_endpoints
             (id, workspace_id, url, events, description, encrypted_secret)
           SELECT $3, found, $4, $5, $6, $7 FROM caller
           WHERE "callerActive" AND "callerRole" IN (${rolesFrom('admin')})
           RETURNING *
         )
         SELECT "callerActive", "callerRole", found, ${columns} FROM caller LEFT JOIN endpoint ON true`,
        [
          actor.userId,
          given.workspaceId,
          id,
          given.url,
          given.events,
          given.description ?? '',
          this.secrets.encrypt(secret, id),
        ],
      );
      return noEvent({ ...authorise(row, 'admin', 'workspace'), secret }, NO_EVENT);
    });
  }

  async list(actor: Actor, list: PageRequest & { workspaceId: string }): Promise<Page<Endpoint>> {
    const { workspaceId, cursor, limit } = list;
    const keyset = new Keyset(['webhooks', workspaceId]);
    const { updatedAt, id } = keyset.position(cursor);
    const rows = await this.database.query<CallerRow & Endpoint>(
      `SELECT ${callerColumns('workspace.id')}, page.* ${fromCallerIn('$2')}
       LEFT JOIN LATERAL (
         SELECT ${columns} FROM webhook_endpoints endpoint
         WHERE endpoint.workspace_id = member.workspace_id
           AND (endpoint.updated_at, endpoint.id) < ($3, $4)
         ORDER BY endpoint.updated_at DESC, endpoint.id DESC LIMIT $5
       ) page ON true
       WHERE caller.id = $1 ORDER BY page."updatedAt" DESC, page.id DESC`,
      [actor.userId, workspaceId, updatedAt, id, limit + 1],
    );
    return keyset.page(authoriseList(rows, 'admin', 'workspace'), limit, (endpoint) => endpoint);
  }

  async get(actor: Actor, id: string): Promise<Endpoint> {
    const [row] = await this.database.query<CallerRow & Endpoint>(load, [actor.userId, id]);
    return authorise(row, 'admin', 'webhook');
  }

  update(actor: Actor, id: string, change: EndpointChange): Promise<Endpoint> {
    return this.unitOfWork.write(async (transaction) => {
      const current = await this.lock(transaction, actor, id);
      const { workspaceId, createdAt, updatedAt } = current;
      refuseChanges(change, { id: current.id, workspaceId, createdAt, updatedAt });
      if (change.url !== undefined && change.url !== current.url) this.checkUrl(change.url);
      const next = {
        url: change.url ?? current.url,
        events: change.events ?? current.events,
        description: change.description ?? current.description,
        status: change.status ?? current.status,
      };
      const [row] = await transaction.query<Endpoint>(
        `UPDATE webhook_endpoints AS endpoint
         SET url = $2, events = $3, description = $4, status = $5, updated_at = clock_timestamp()
         WHERE id = $1 AND (url, events, description, status) IS DISTINCT FROM ($2, $3, $4, $5)
         RETURNING ${columns}`,
        [id, next.url, next.events, next.description, next.status],
      );
      if (next.status !== current.status) {
        const [from, to] = next.status === 'active' ? ['held', 'pending'] : ['pending', 'held'];
        await transaction.query(
          `UPDATE webhook_deliveries SET status = $3, due_at = now(),
             next_attempt_at = CASE $3 WHEN 'pending' THEN now() END
           WHERE id = ANY (ARRAY(
             SELECT id FROM webhook_deliveries WHERE endpoint_id = $1 AND status = $2
             ORDER BY id FOR UPDATE
           ))`,
          [id, from, to],
        );
      }
      return noEvent(row ?? current, NO_EVENT);
    });
  }

  /** What was still to be sent to the endpoint is gone with it. */
  delete(actor: Actor, id: string): Promise<void> {
    return this.unitOfWork.write(async (transaction) => {
      await this.lock(transaction, actor, id);
      await transaction.query('DELETE FROM webhook_endpoints WHERE id = $1', [id]);
      return noEvent(undefined, NO_EVENT);
    });
  }

  /** Sent together, so that the second statement sees what was committed while the lock was waited for. */
  private async lock({ query }: Transaction, actor: Actor, id: string): Promise<Endpoint> {
    const [, [row]] = await Promise.all([
      query('SELECT FROM webhook_endpoints WHERE id = $1 FOR UPDATE', [id]),
      query<CallerRow & Endpoint>(load, [actor.userId, id]),
    ]);
    return authorise(row, 'admin', 'webhook');
  }

  private checkUrl(text: string): void {
    const url = URL.parse(text);
    const refuse = (problem: string) => DomainError.invalid('url', `url ${problem}`);
    // URL.parse mends white space and missing slashes; what is stored should be what is called.
    if (url === null || !/^https?:\/\/\S+$/i.test(text)) {
      throw refuse('must be a complete address such as https://example.com/webhooks');
    }
    if (url.protocol === 'http:' && !this.options.allowHttp)
      throw refuse('must begin with https://');
    if (url.username !== '' || url.password !== '')
      throw refuse('must not carry a user or password');
    if (text.includes('#')) throw refuse('must not have a fragment (#…)');
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const address = /(^|\.)localhost\.?$/.test(host) ? '127.0.0.1' : host;
    if (isIP(address) !== 0 && !this.policy.allows(address)) {
      throw refuse('must not name a private address; the operator can allow ranges');
    }
  }
}
