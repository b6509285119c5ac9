import type { AuditEntry } from '#client';
import { Text, VisuallyHidden } from '@mantine/core';
import { IconArrowRight } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { shortId } from '../../controls/format.js';
import { Page } from '../../controls/page.js';
import { RelativeTime, useNow } from '../../controls/relative-time.js';
import { AdminOnly, EmptyState, QueryState, RowsSkeleton } from '../../controls/states.js';
import { ListTable, LoadMore, type Column } from '../../lists/list-table.js';
import { texts } from '../../texts.js';
import { nameOfActor } from './audit-actors.js';
import { AuditFilters } from './audit-filters.js';
import classes from './audit-log.module.css';
import { useActorsAndTargets, useAuditEntries } from './audit-queries.js';
import { toAuditFilter } from './audit-search.js';
import { describeAction, detailsOf, namesOfTargets, OPERATOR } from './audit-words.js';
import { words } from './texts.js';

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

// The interval at which the start of a relative period, such as the last 24 hours, is updated.
const PERIOD_STEP_MS = 3_600_000;

function Entries() {
  const search = auditApi.useSearch();
  const filter = toAuditFilter(search, useNow(PERIOD_STEP_MS));
  const matching = useAuditEntries(filter);
  // The unfiltered entries supply the names of deleted targets and former actors.
  const { data: latest = [] } = useAuditEntries({});
  const current = useActorsAndTargets();
  const named = [...latest, ...(matching.data ?? [])];
  const isFiltered = Object.keys(search).length > 0;
  return (
    <>
      <Text size="sm" mb="md">
        {words.intro}
      </Text>
      <AuditFilters search={search} current={current} entries={named} />
      <QueryState query={matching} skeleton={<RowsSkeleton rows={8} height={62} />}>
        {(rows) => {
          if (rows.length > 0) {
            return <AuditTable entries={rows} names={namesOfTargets(named, current)} />;
          }
          if (matching.hasNextPage) return <Text size="sm">{words.searchedPart}</Text>;
          return isFiltered ? (
            <EmptyState title={words.noMatchTitle} text={words.noMatchText} />
          ) : (
            <EmptyState title={words.emptyTitle} text={words.emptyText} />
          );
        }}
      </QueryState>
      <LoadMore list={matching} loadedAll={words.loadedAll} />
    </>
  );
}

interface AuditTableProps {
  entries: AuditEntry[];
  /** The names of the targets, by target id. */
  names: ReadonlyMap<string, string>;
}

function AuditTable({ entries, names }: AuditTableProps) {
  const { columns, listLabel, noIpAddress } = words;
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
  if (actor === null) {
    const { operator, provider } = words;
    const isOperator = action === 'member.erased' || details['by'] === OPERATOR;
    return <Text size="sm">{isOperator ? operator : provider}</Text>;
  }
  const { name, email, kind } = actor;
  const secondLine = kind === 'key' ? words.apiKey : name && email;
  return (
    <div>
      <Text size="sm">{nameOfActor(actor)}</Text>
      {secondLine && <Text size="xs">{secondLine}</Text>}
    </div>
  );
}

/** Describes an entry: a sentence, and the values before and after the change. */
function AuditChange({ entry, target }: { entry: AuditEntry; target: string | undefined }) {
  const { from: fromLabel, to: toLabel } = words;
  return (
    <div>
      <Text size="sm" fw={600}>
        {describeAction(entry, target ?? shortId(entry.targetId))}
      </Text>
      {detailsOf(entry, target).map(({ label, from, to }) => (
        <Text key={label} size="sm" component="div" className={classes['detail']}>
          <span>{label}:</span>
          {from !== undefined && (
            <>
              <VisuallyHidden>{fromLabel}</VisuallyHidden>
              <span>{from}</span>
              <IconArrowRight size={14} aria-hidden />
              <VisuallyHidden>{toLabel}</VisuallyHidden>
            </>
          )}
          <span>{to}</span>
        </Text>
      ))}
    </div>
  );
}
