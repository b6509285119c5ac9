import type { AuditEntry } from '#client';
import { Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { Page } from '../../controls/page.js';
import { RelativeTime, useNow } from '../../controls/relative-time.js';
import { AdminOnly, EmptyState, QueryState, RowsSkeleton } from '../../controls/states.js';
import { ListTable, LoadMore, type Column } from '../../lists/list-table.js';
import { texts } from '../../texts/index.js';
import { nameOfActor } from './audit-actors.js';
import { AuditChange } from './audit-change.js';
import { AuditFilters } from './audit-filters.js';
import { toAuditFilter } from './audit-search.js';
import { namesOfTargets, OPERATOR } from './audit-words.js';
import { useActorsAndTargets } from './use-actors-and-targets.js';
import { useAuditEntries } from './use-audit-entries.js';

const auditApi = getRouteApi('/w/$workspaceId/audit-log');

export function AuditLog() {
  return (
    <Page title={texts.navigation.auditLog}>
      <AdminOnly>
        <Entries />
      </AdminOnly>
    </Page>
  );
}

// How often the start of a period such as the last 24 hours moves on.
const PERIOD_STEP_MS = 3_600_000;

function Entries() {
  const { auditLog } = texts;
  const search = auditApi.useSearch();
  const filter = toAuditFilter(search, useNow(PERIOD_STEP_MS));
  const matching = useAuditEntries(filter);
  // Read without the filters: these entries supply the names of deleted targets and former actors.
  const { data: latest = [] } = useAuditEntries({});
  const current = useActorsAndTargets();
  const named = [...latest, ...(matching.data ?? [])];
  const isFiltered = Object.keys(search).length > 0;
  return (
    <>
      <Text size="sm" mb="md">
        {auditLog.intro}
      </Text>
      <AuditFilters search={search} current={current} entries={named} />
      <QueryState query={matching} skeleton={<RowsSkeleton rows={8} height={62} />}>
        {(rows) => {
          if (rows.length > 0) {
            return <AuditTable entries={rows} names={namesOfTargets(named, current)} />;
          }
          if (matching.hasNextPage) return <Text size="sm">{auditLog.searchedPart}</Text>;
          return isFiltered ? (
            <EmptyState title={auditLog.noMatchTitle} text={auditLog.noMatchText} />
          ) : (
            <EmptyState title={auditLog.emptyTitle} text={auditLog.emptyText} />
          );
        }}
      </QueryState>
      <LoadMore list={matching} loadedAll={auditLog.loadedAll} />
    </>
  );
}

interface AuditTableProps {
  entries: AuditEntry[];
  /** The names of targets, by id. */
  names: ReadonlyMap<string, string>;
}

function AuditTable({ entries, names }: AuditTableProps) {
  const { columns, listLabel, noIpAddress } = texts.auditLog;
  const tableColumns: Column<AuditEntry>[] = [
    {
      header: columns.change,
      cell: (entry) => <AuditChange entry={entry} target={names.get(entry.targetId)} />,
    },
    { header: columns.actor, cell: (entry) => <Actor entry={entry} />, width: 250 },
    {
      header: columns.ipAddress,
      cell: ({ address }) => <Text size="sm">{address ?? noIpAddress}</Text>,
      width: 130,
    },
    {
      header: columns.time,
      cell: ({ occurredAt }) => <RelativeTime time={occurredAt} />,
      width: 160,
    },
  ];
  return (
    <ListTable
      label={listLabel}
      columns={tableColumns}
      rows={entries}
      rowKey={(entry) => entry.id}
    />
  );
}

function Actor({ entry: { action, actor, details } }: { entry: AuditEntry }) {
  const { auditLog } = texts;
  if (actor === null) {
    const { operator, provider } = auditLog;
    const isOperator = action === 'member.erased' || details['by'] === OPERATOR;
    return <Text size="sm">{isOperator ? operator : provider}</Text>;
  }
  const { name, email, kind } = actor;
  const secondLine = kind === 'key' ? auditLog.apiKey : name && email;
  return (
    <div>
      <Text size="sm">{nameOfActor(actor)}</Text>
      {secondLine && <Text size="xs">{secondLine}</Text>}
    </div>
  );
}
