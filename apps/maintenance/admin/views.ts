import type { Query } from '#database';
import { findUsers, type FoundUser } from '#identity';
import {
  endpointSorts,
  LIST_WAITING_WORKSPACES,
  listEndpointBacklogs,
  OBSERVE_BACKLOG,
  OBSERVE_OUTBOX,
} from '#webhooks';
import { parseSort, type ViewRequest } from './request.js';
import { age, formatTable, type Column } from './table.js';

interface View {
  rows: object[];
  table: string;
}

export async function readView(query: Query, request: ViewRequest): Promise<View> {
  switch (request.command) {
    case 'backlog':
      return readBacklog(query);
    case 'webhooks':
      return readWebhooks(query, request);
    case 'workspaces':
      return readWorkspaces(query, request);
    case 'users':
      return view(USER_COLUMNS, await findUsers(query, request));
  }
}

const view = <Row extends object>(columns: Column<Row>[], rows: Row[]): View => ({
  rows,
  table: formatTable(columns, rows),
});

async function readBacklog(query: Query): Promise<View> {
  const [deliveries] = await query(OBSERVE_BACKLOG);
  const [outbox] = await query<{ events: number; oldestAgeSeconds: number }>(OBSERVE_OUTBOX);
  const row: Record<string, unknown> = {
    ...deliveries,
    outboxEvents: outbox?.events,
    outboxOldestAgeSeconds: outbox?.oldestAgeSeconds,
  };
  const figures = Object.entries(FIGURES).map(([field, meaning]) => ({
    figure: Math.round(Number(row[field])),
    meaning,
  }));
  const columns: Column<(typeof figures)[number]>[] = [
    { title: 'FIGURE', value: ({ figure }) => figure },
    { title: 'MEANING', value: ({ meaning }) => meaning },
  ];
  return { rows: [row], table: formatTable(columns, figures) };
}

const FIGURES = {
  outboxEvents: 'events in the outbox, not yet relayed by a worker',
  outboxOldestAgeSeconds: 'seconds that the oldest of these events has waited',
  due: 'deliveries waiting for a worker',
  oldestDueAgeSeconds: 'seconds that the oldest of these deliveries has waited',
  inFlight: 'deliveries in flight',
  scheduled: 'deliveries waiting for a retry',
  paused: 'deliveries waiting because of a failing receiver or a rate limit',
  held: 'deliveries held by disabled webhooks',
  openBreakers: 'webhooks with an open circuit breaker',
};

interface EndpointBacklog {
  webhookId: string;
  workspace: string | null;
  host: string;
  status: string;
  waiting: number;
  isCapped: boolean;
  oldestAt: Date | null;
  failingSince: Date | null;
  attemptsInDay: number;
  failedInDay: number;
}

const counted = ({ waiting, isCapped }: { waiting: number; isCapped: boolean }) =>
  isCapped ? `${waiting}+` : waiting;

const WEBHOOK_COLUMNS: Column<EndpointBacklog>[] = [
  { title: 'WEBHOOK', value: ({ webhookId }) => webhookId },
  { title: 'WORKSPACE', value: ({ workspace }) => workspace ?? '(deleted)', width: 12 },
  { title: 'HOST', value: ({ host }) => host, width: 18 },
  { title: 'STATUS', value: ({ status }) => status },
  { title: 'WAITING', value: counted },
  { title: 'OLDEST', value: ({ oldestAt }) => age(oldestAt) },
  { title: 'FAILING', value: ({ failingSince }) => age(failingSince) },
  {
    title: 'FAILED/24H',
    value: ({ failedInDay, attemptsInDay }) => `${failedInDay}/${attemptsInDay}`,
    width: 12,
  },
];

async function readWebhooks(query: Query, request: ViewRequest): Promise<View> {
  const { workspaceId, limit } = request;
  const statement = listEndpointBacklogs(
    parseSort(endpointSorts, request.sort),
    workspaceId !== undefined,
  );
  return view(
    WEBHOOK_COLUMNS,
    await query<EndpointBacklog>(statement, [limit, workspaceId ?? null]),
  );
}

interface WaitingWorkspace {
  workspaceId: string;
  workspace: string | null;
  webhooksWaiting: number;
  waiting: number;
  isCapped: boolean;
  outbox: number;
  oldestEventAt: Date | null;
  documentsToPurge: number;
  attemptsInHour: number;
  failedInHour: number;
}

const WORKSPACE_SORTS = ['backlog', 'outbox', 'attempts', 'purge'] as const;

const WORKSPACE_COLUMNS: Column<WaitingWorkspace>[] = [
  { title: 'WORKSPACE', value: ({ workspaceId }) => workspaceId },
  { title: 'NAME', value: ({ workspace }) => workspace ?? '(deleted)', width: 24 },
  { title: 'WAITING WEBHOOKS', value: ({ webhooksWaiting }) => webhooksWaiting },
  { title: 'WAITING', value: counted },
  { title: 'OUTBOX', value: ({ outbox }) => outbox },
  { title: 'OLDEST', value: ({ oldestEventAt }) => age(oldestEventAt) },
  { title: 'PURGE', value: ({ documentsToPurge }) => documentsToPurge },
  {
    title: 'FAILED/1H',
    value: ({ failedInHour, attemptsInHour }) => `${failedInHour}/${attemptsInHour}`,
    width: 12,
  },
];

async function readWorkspaces(query: Query, request: ViewRequest): Promise<View> {
  const { workspaceId = null, limit } = request;
  const sort = parseSort(WORKSPACE_SORTS, request.sort);
  return view(
    WORKSPACE_COLUMNS,
    await query<WaitingWorkspace>(LIST_WAITING_WORKSPACES, [limit, workspaceId, sort]),
  );
}

const USER_COLUMNS: Column<FoundUser>[] = [
  { title: 'USER', value: ({ userId }) => userId },
  { title: 'EMAIL OR NAME', value: ({ email, name }) => email || name, width: 20 },
  { title: 'STATUS', value: ({ status, kind }) => (kind === 'person' ? status : kind), width: 10 },
  { title: 'ROLE', value: ({ role }) => role ?? '-' },
  { title: 'WORKSPACE', value: ({ workspaceId }) => workspaceId ?? '-' },
];
