import { Injectable } from '@nestjs/common';
import {
  firstIdAt,
  Keysets,
  NEWEST_ID,
  NIL_UUID,
  parseJsonTimes,
  Reads,
  MAX_PAGE_BYTES,
  type Page,
  type PageRequest,
} from '#database';
import { DomainError } from '#errors';
import type { EventKind } from '#events';
import {
  authorise,
  authoriseList,
  callerColumns,
  rolesAtLeast,
  type Actor,
  type CallerRow,
} from '#workspaces';
import {
  SELECT_UNRELAYED_TEST,
  DELIVERY_COLUMNS,
  SELECT_FINISHED,
  JOIN_LAST_ATTEMPT,
  SELECT_PENDING,
  parseLastAttempt,
  type Delivery,
  type DeliveryDetails,
  type DeliveryStatus,
  type LoggedAttempt,
} from './delivery.js';
import { FROM_ENDPOINT } from '../endpoints/endpoint.js';
import { buildNotificationBody } from '../delivery/notification-body.js';

export interface DeliveryFilter {
  status?: DeliveryStatus;
  event?: EventKind;
  resourceId?: string;
  /** Only deliveries that were created at this time or later. */
  since?: Date;
  /** Only deliveries that were created before this time. */
  until?: Date;
}

// Some filters have no index, so a page might have to scan millions of deliveries to find a few. An index on the
// resource or the event would make every delivery more expensive, and these filters do not justify that cost. Instead,
// a page scans at most this many deliveries, which takes about 10 ms, and ends with a cursor.
const MAX_SCANNED = 5_000;

/** Without this condition, the statement would search the log even if the caller may not read the result. */
const CALLER_IS_ADMIN = `member.role IN (${rolesAtLeast('admin')})`;

const selectNewestFirst = (
  source: string,
  condition: string,
  limit: string,
) => `(${source} AND ${CALLER_IS_ADMIN}
  AND delivery.id < $3 AND delivery.id >= $5 ${condition} ORDER BY delivery.id DESC LIMIT ${limit})`;

/** Each status has a separate statement, so that PostgreSQL can use the index on failed and cancelled deliveries. */
const selectSource = (status: DeliveryStatus | undefined, limit: string): string => {
  const select = (source: string, condition = '') => selectNewestFirst(source, condition, limit);
  if (status === undefined) return `${select(SELECT_PENDING)} UNION ALL ${select(SELECT_FINISHED)}`;
  if (status === 'pending') return select(SELECT_PENDING, `AND endpoint.status <> 'disabled'`);
  if (status === 'held') return select(SELECT_PENDING, `AND endpoint.status = 'disabled'`);
  // Nearly all finished deliveries have the status `delivered`, so an index on this status would not help.
  // `selectFilteredPage` filters by it instead.
  return select(SELECT_FINISHED, status === 'delivered' ? '' : `AND delivery.status = '${status}'`);
};

const selectPage = (status: DeliveryStatus | undefined): string =>
  `SELECT ${DELIVERY_COLUMNS}, true AS matches, false AS "isScanEnd"
   FROM (${selectSource(status, '$4')}) delivery ORDER BY id DESC LIMIT $4`;

/**
 * Selects the matching deliveries. If the scan has reached its limit, also selects the last scanned delivery, even if
 * it does not match, because the next page starts after it.
 */
const selectFilteredPage = (status: DeliveryStatus | undefined): string =>
  `SELECT ${DELIVERY_COLUMNS}, matches, rank = ${MAX_SCANNED} AS "isScanEnd" FROM (
     SELECT ${DELIVERY_COLUMNS}, row_number() OVER (ORDER BY id DESC) AS rank,
       ($6::text IS NULL OR event = $6) AND ($7::uuid IS NULL OR "resourceId" = $7)
         ${status === 'delivered' ? `AND status = 'delivered'` : ''} AS matches
     FROM (${selectSource(status, String(MAX_SCANNED))}) delivery
   ) delivery
   WHERE rank <= ${MAX_SCANNED} AND (matches OR rank = ${MAX_SCANNED})
   ORDER BY id DESC LIMIT $4`;

// Manual retries are not limited, so a delivery can have any number of attempts.
const MAX_LISTED_ATTEMPTS = 100;

/**
 * Selects the latest attempts of `delivery`. `bytes_so_far` is the size of an attempt together with all later attempts.
 */
const SELECT_LATEST_ATTEMPTS = `SELECT *,
    sum(octet_length(shown::text)) OVER (ORDER BY claim DESC) AS bytes_so_far
  FROM (
    SELECT started_at, claim, json_build_object('startedAt', started_at,
      'durationMs', duration_ms, 'statusCode', status_code, 'stage', stage, 'error', error,
      'url', url, 'requestHeaders', request_headers, 'responseHeaders', response_headers,
      'responseBody', response_body) AS shown
    FROM webhook_attempts WHERE delivery_id = delivery.id
    ORDER BY claim DESC LIMIT ${MAX_LISTED_ATTEMPTS}
  ) attempt`;

type ScannedRow = Delivery & { matches: boolean; isScanEnd: boolean };

/** Reads the deliveries of an endpoint, pending and finished, with their attempts. */
@Injectable()
export class DeliveryLog {
  constructor(
    private readonly reads: Reads,
    private readonly keysets: Keysets,
  ) {}

  /**
   * Lists deliveries, newest first. With a filter, a page may have fewer deliveries than `limit`, or none,
   * and still have a cursor.
   */
  async list(
    actor: Actor,
    endpointId: string,
    { cursor, limit, ...filter }: PageRequest & DeliveryFilter,
  ): Promise<Page<Delivery>> {
    const { status, event, resourceId, since, until } = filter;
    const isFiltered = event !== undefined || resourceId !== undefined || status === 'delivered';
    const keyset = this.keysets.forList(
      ['deliveries', endpointId, status, event, resourceId, since, until],
      until === undefined ? NEWEST_ID : [firstIdAt(until)],
    );
    const scanned = await this.reads.run(actor, async ({ query }) => {
      const rows = await query<CallerRow & ScannedRow>(
        `SELECT ${callerColumns('endpoint.id')}, delivery.*, attempt."lastAttempt" ${FROM_ENDPOINT}
       LEFT JOIN LATERAL (
         ${isFiltered ? selectFilteredPage(status) : selectPage(status)}
       ) delivery ON true
       ${JOIN_LAST_ATTEMPT}
       WHERE caller.id = $1 ORDER BY delivery.id DESC`,
        [
          actor.userId,
          endpointId,
          ...keyset.after(cursor),
          limit + 1,
          since === undefined ? NIL_UUID : firstIdAt(since),
          ...(isFiltered ? [event, resourceId] : []),
        ],
      );
      return authoriseList(rows, 'admin', 'webhook');
    });
    const matching = scanned.filter(({ matches }) => matches).map(toDelivery);
    const page = keyset.page(matching, limit, ({ id }) => [id]);
    const last = scanned.at(-1);
    if (page.nextCursor !== null || !last?.isScanEnd) return page;
    return { ...page, nextCursor: keyset.cursorAt([last.id]) };
  }

  /** Returns a delivery with its latest attempts, in chronological order. */
  get(actor: Actor, endpointId: string, id: string): Promise<DeliveryDetails> {
    return this.reads.run(actor, async ({ query }) => {
      const [row] = await query<CallerRow & DetailsRow>(
        `SELECT ${callerColumns('endpoint.id')}, ${DELIVERY_COLUMNS}, endpoint.url AS "endpointUrl",
         coalesce(delivery.occurred_at, event.occurred_at) AS "occurredAt",
         coalesce(delivery.data, event.data)::text AS data, (
           SELECT coalesce(json_agg(shown ORDER BY started_at, claim), '[]')
           FROM (${SELECT_LATEST_ATTEMPTS}) latest WHERE bytes_so_far <= ${MAX_PAGE_BYTES}
         ) AS "attemptsMade" ${FROM_ENDPOINT}
       LEFT JOIN LATERAL (
         SELECT * FROM (
           ${SELECT_PENDING} AND ${CALLER_IS_ADMIN} AND delivery.id = $3
           UNION ALL ${SELECT_FINISHED} AND ${CALLER_IS_ADMIN} AND delivery.id = $3
           UNION ALL ${SELECT_UNRELAYED_TEST} AND ${CALLER_IS_ADMIN} AND delivery.id = $3
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
      return toDetails(delivery);
    });
  }
}

type DetailsRow = Omit<Delivery, 'lastAttempt'> & {
  attemptsMade: LoggedAttempt[];
  endpointUrl: string;
  occurredAt: Date | null;
  data: string | null;
};

function toDetails({ endpointUrl, occurredAt, data, ...row }: DetailsRow): DeliveryDetails {
  const attemptsMade = row.attemptsMade.map((attempt) => parseJsonTimes(attempt, 'startedAt'));
  const last = attemptsMade.at(-1);
  return {
    ...row,
    lastAttempt: last === undefined ? null : toSummary(last),
    url: last?.url ?? endpointUrl,
    requestBody: buildNotificationBody({ kind: row.event, occurredAt, data }) ?? null,
    attemptsMade,
  };
}

const toSummary = ({ startedAt, durationMs, statusCode, stage, error }: LoggedAttempt) => ({
  startedAt,
  durationMs,
  statusCode,
  stage,
  error,
});

function toDelivery({ matches, isScanEnd, ...delivery }: ScannedRow): Delivery {
  return parseLastAttempt(delivery);
}
