import { Injectable } from '@nestjs/common';
import {
  Database,
  firstIdAt,
  Keysets,
  NEWEST_ID,
  PAGE_BYTES,
  type Page,
  type PageRequest,
} from '#database';
import { DomainError } from '#errors';
import type { EventKind } from '#events';
import {
  authorise,
  authoriseList,
  callerColumns,
  rolesFrom,
  type Actor,
  type CallerRow,
} from '#identity';
import {
  announced,
  columns,
  finished,
  lastAttempt,
  pending,
  withTimes,
  type Delivery,
  type DeliveryDetails,
  type DeliveryStatus,
  type LoggedAttempt,
} from './delivery.js';
import { fromEndpoint } from './endpoint.js';
import { notificationBody } from './notification.js';

export interface DeliveryFilter {
  status?: DeliveryStatus;
  event?: EventKind;
  resourceId?: string;
  /** Made at this time or later. */
  since?: Date;
  /** Made before this time. */
  until?: Date;
}

// Of an endpoint with ten million deliveries, few may match a filter that no index supports: an index
// by resource or event would cost every delivery more than these filters are worth. So a page looks at
// this many deliveries at most, which takes some ten milliseconds, and ends there with a cursor.
const MOST_LOOKED_AT = 5_000;
const OLDEST_ID = '00000000-0000-0000-0000-000000000000';

/** Else nothing is looked for. */
const mayRead = `member.role IN (${rolesFrom('admin')})`;

const newest = (source: string, condition: string, limit: string) => `(${source} AND ${mayRead}
  AND delivery.id < $3 AND delivery.id >= $5 ${condition} ORDER BY delivery.id DESC LIMIT ${limit})`;

/** A constant for each status, so that the index of what did not arrive can be used. */
const sourceOf = (status: DeliveryStatus | undefined, limit: string): string => {
  const all = (source: string, condition = '') => newest(source, condition, limit);
  if (status === undefined) return `${all(pending)} UNION ALL ${all(finished)}`;
  if (status === 'pending') return all(pending, `AND endpoint.status <> 'disabled'`);
  if (status === 'held') return all(pending, `AND endpoint.status = 'disabled'`);
  // Nearly all are delivered, and in no index of their own.
  return all(finished, status === 'delivered' ? '' : `AND delivery.status = '${status}'`);
};

const pageOf = (status: DeliveryStatus | undefined): string =>
  `SELECT ${columns}, true AS matches, false AS "isLimit"
   FROM (${sourceOf(status, '$4')}) delivery ORDER BY id DESC LIMIT $4`;

/** Also gives the last delivery that was looked at, if there may be more after it. */
const filteredPageOf = (status: DeliveryStatus | undefined): string =>
  `SELECT ${columns}, matches, rank = ${MOST_LOOKED_AT} AS "isLimit" FROM (
     SELECT ${columns}, row_number() OVER (ORDER BY id DESC) AS rank,
       ($6::text IS NULL OR event = $6) AND ($7::uuid IS NULL OR "resourceId" = $7)
         ${status === 'delivered' ? `AND status = 'delivered'` : ''} AS matches
     FROM (${sourceOf(status, String(MOST_LOOKED_AT))}) delivery
   ) delivery
   WHERE rank <= ${MOST_LOOKED_AT} AND (matches OR rank = ${MOST_LOOKED_AT})
   ORDER BY id DESC LIMIT $4`;

// A delivery may be retried by hand any number of times.
const MOST_ATTEMPTS = 100;

/** Of `delivery`: its latest attempts, and the bytes of each together with those of later ones. */
const LATEST_ATTEMPTS = `SELECT *,
    sum(octet_length(shown::text)) OVER (ORDER BY claim DESC) AS bytes_so_far
  FROM (
    SELECT started_at, claim, json_build_object('startedAt', started_at,
      'durationMs', duration_ms, 'statusCode', status_code, 'stage', stage, 'error', error,
      'url', url, 'requestHeaders', request_headers, 'responseHeaders', response_headers,
      'responseBody', response_body) AS shown
    FROM webhook_attempts WHERE delivery_id = delivery.id
    ORDER BY claim DESC LIMIT ${MOST_ATTEMPTS}
  ) attempt`;

type Listed = Delivery & { matches: boolean; isLimit: boolean };

/** What became of the notifications to an endpoint, attempt by attempt. */
@Injectable()
export class DeliveryLog {
  constructor(
    private readonly database: Database,
    private readonly keysets: Keysets,
  ) {}

  /** Newest first. With a filter a page may have fewer deliveries than asked for, or none, and a cursor. */
  async list(
    actor: Actor,
    endpointId: string,
    { cursor, limit, ...filter }: PageRequest & DeliveryFilter,
  ): Promise<Page<Delivery>> {
    const { status, event, resourceId, since, until } = filter;
    const isFiltered = event !== undefined || resourceId !== undefined || status === 'delivered';
    const keyset = this.keysets.of(
      ['deliveries', endpointId, status, event, resourceId, since, until],
      until === undefined ? NEWEST_ID : [firstIdAt(until)],
    );
    const rows = await this.database.query<CallerRow & Listed>(
      `SELECT ${callerColumns('endpoint.id')}, delivery.*, attempt."lastAttempt" ${fromEndpoint}
       LEFT JOIN LATERAL (
         ${isFiltered ? filteredPageOf(status) : pageOf(status)}
       ) delivery ON true
       ${lastAttempt}
       WHERE caller.id = $1 ORDER BY delivery.id DESC`,
      [
        actor.userId,
        endpointId,
        ...keyset.after(cursor),
        limit + 1,
        since === undefined ? OLDEST_ID : firstIdAt(since),
        ...(isFiltered ? [event, resourceId] : []),
      ],
    );
    const listed = authoriseList(rows, 'admin', 'webhook');
    const matching = listed.filter(({ matches }) => matches).map(shown);
    const page = keyset.page(matching, limit, ({ id }) => [id]);
    const last = listed.at(-1);
    if (page.nextCursor !== null || !last?.isLimit) return page;
    return { ...page, nextCursor: keyset.cursorAt([last.id]) };
  }

  /** With its latest attempts, in the order in which they were made. */
  async get(actor: Actor, endpointId: string, id: string): Promise<DeliveryDetails> {
    const [row] = await this.database.query<CallerRow & DetailsRow>(
      `SELECT ${callerColumns('endpoint.id')}, ${columns}, endpoint.url AS "endpointUrl",
         coalesce(delivery.occurred_at, event.occurred_at) AS "occurredAt",
         coalesce(delivery.data, event.data)::text AS data, (
           SELECT coalesce(json_agg(shown ORDER BY started_at, claim), '[]')
           FROM (${LATEST_ATTEMPTS}) latest WHERE bytes_so_far <= ${PAGE_BYTES}
         ) AS "attemptsMade" ${fromEndpoint}
       LEFT JOIN LATERAL (
         SELECT * FROM (
           ${pending} AND ${mayRead} AND delivery.id = $3
           UNION ALL ${finished} AND ${mayRead} AND delivery.id = $3
           UNION ALL ${announced} AND ${mayRead} AND delivery.id = $3
         ) delivery LIMIT 1
       ) delivery ON true
       LEFT JOIN LATERAL (
         SELECT occurred_at, data FROM events WHERE workspace_id = endpoint.workspace_id
           AND position = delivery.position AND relayed_at = delivery."createdAt" LIMIT 1
       ) event ON true
       WHERE caller.id = $1`,
      [actor.userId, endpointId, id],
    );
    const delivery = authorise(row, 'admin', 'webhook');
    if ((delivery.id as string | null) === null) throw DomainError.notFound('delivery');
    return detailsOf(delivery);
  }
}

type DetailsRow = Omit<Delivery, 'lastAttempt'> & {
  attemptsMade: LoggedAttempt[];
  endpointUrl: string;
  occurredAt: Date | null;
  data: string | null;
};

function detailsOf({ endpointUrl, occurredAt, data, ...row }: DetailsRow): DeliveryDetails {
  const attemptsMade = row.attemptsMade.map((attempt) => ({
    ...attempt,
    startedAt: new Date(attempt.startedAt),
  }));
  const last = attemptsMade.at(-1);
  return {
    ...row,
    lastAttempt: last === undefined ? null : outcomeOf(last),
    url: last?.url ?? endpointUrl,
    requestBody: notificationBody({ kind: row.event, occurredAt, data }) ?? null,
    attemptsMade,
  };
}

const outcomeOf = ({ startedAt, durationMs, statusCode, stage, error }: LoggedAttempt) => ({
  startedAt,
  durationMs,
  statusCode,
  stage,
  error,
});

function shown({ matches, isLimit, ...delivery }: Listed): Delivery {
  return withTimes(delivery);
}
