import type { Keyset, Page, PageRequest, Query } from '#database';
import {
  authoriseList,
  callerColumns,
  fromCallerInWorkspace,
  rolesAtLeast,
  type Actor,
  type CallerRow,
} from '#workspaces';
import {
  recentHoursSince,
  selectRecentHours,
  toRecentStatistics,
  type RecentHourRow,
  type RecentStatistics,
} from '../statistics/recent-statistics.js';
import { selectLastFailure, type LastFailure } from '../traffic/last-failure.js';
import { ENDPOINT_COLUMNS, type Endpoint, type EndpointRow } from './endpoint.js';

export interface EndpointsRequest extends PageRequest {
  workspaceId: string;
  /** Whether to include each endpoint's statistics for the last 24 hours. */
  stats?: boolean;
}

export interface ListedEndpoint extends Endpoint {
  stats?: RecentStatistics;
}

type ListedRow = CallerRow &
  EndpointRow & { hours?: RecentHourRow[]; lastFailure?: LastFailure | null };

const selectPage = (columns = '', joins = ''): string =>
  `SELECT ${callerColumns('workspace.id')}, page.*${columns} ${fromCallerInWorkspace('$2')}
   LEFT JOIN LATERAL (
     SELECT ${ENDPOINT_COLUMNS} FROM webhook_endpoints endpoint
     WHERE endpoint.workspace_id = member.workspace_id
       AND (endpoint.updated_at, endpoint.id) < ($3, $4)
     ORDER BY endpoint.updated_at DESC, endpoint.id DESC LIMIT $5
   ) page ON true
   ${joins}
   WHERE caller.id = $1 ORDER BY page."updatedAt" DESC, page.id DESC`;

const SELECT_PAGE = selectPage();
const SELECT_PAGE_WITH_STATISTICS = selectPage(
  // For callers who are not admins, the statement reads no statistics.
  ', recent.hours, failure."lastFailure"',
  `LEFT JOIN LATERAL (
     ${selectRecentHours(`CASE WHEN member.role IN (${rolesAtLeast('admin')}) THEN page.id END`, '$6')}
   ) recent ON true
   LEFT JOIN LATERAL (${selectLastFailure('page.id')}) failure ON true`,
);

/** Lists the endpoints of a workspace, most recently changed first. */
export async function listEndpoints(
  query: Query,
  keyset: Keyset,
  actor: Actor,
  { workspaceId, cursor, limit, stats = false }: EndpointsRequest,
  toEndpoint: (row: EndpointRow) => Endpoint,
): Promise<Page<ListedEndpoint>> {
  const since = recentHoursSince();
  const rows = await query<ListedRow>(stats ? SELECT_PAGE_WITH_STATISTICS : SELECT_PAGE, [
    actor.userId,
    workspaceId,
    ...keyset.after(cursor),
    limit + 1,
    ...(stats ? [since] : []),
  ]);
  const endpoints = authoriseList(rows, 'admin', 'workspace').map(
    ({ hours, lastFailure = null, ...row }) => ({
      ...toEndpoint(row),
      ...(hours && { stats: toRecentStatistics(since, hours, lastFailure) }),
    }),
  );
  return keyset.page(endpoints, limit, ({ updatedAt, id }) => [updatedAt, id]);
}
