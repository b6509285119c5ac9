import type { AuditAction, AuditEntry } from '#client';
import { NativeSelect } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { FilterBar } from '../../lists/filter-bar.js';
import { actorOptions } from './audit-actors.js';
import type { ActorsAndTargets } from './audit-queries.js';
import { auditActions, auditPeriods, type AuditPeriod, type AuditSearch } from './audit-search.js';
import { words } from './texts.js';

const auditApi = getRouteApi('/w/$workspaceId/audit-log');
const { filters, actionNames } = words;

const ACTIONS = [
  { value: '', label: filters.anyAction },
  ...filters.actionGroups.map(({ group, prefixes }) => ({
    group,
    items: auditActions
      .filter((value) => prefixes.some((prefix) => value.startsWith(prefix)))
      .map((value) => ({ value, label: actionNames[value] })),
  })),
];
const PERIODS = [
  { value: '', label: filters.anyPeriod },
  ...auditPeriods.map((value) => ({ value, label: filters.periods[value] })),
];

interface AuditFiltersProps {
  search: AuditSearch;
  current: ActorsAndTargets;
  /** The filter also offers the actors of these entries. */
  entries: readonly AuditEntry[];
}

/** Filters the audit log. The filters are in the URL, so that a shared link shows the same entries. */
export function AuditFilters({ search, current, entries }: AuditFiltersProps) {
  const navigate = auditApi.useNavigate();
  const actors = actorOptions(current, entries, search.actorId);
  const change = (changes: { [Name in keyof AuditSearch]: AuditSearch[Name] | undefined }) =>
    void navigate({ search: (old) => ({ ...old, ...changes }), replace: true });
  return (
    <FilterBar
      isFiltered={Object.keys(search).length > 0}
      onClear={() => void navigate({ search: {}, replace: true })}
    >
      <NativeSelect
        label={filters.action}
        data={ACTIONS}
        value={search.action ?? ''}
        onChange={({ target }) =>
          change({ action: (target.value || undefined) as AuditAction | undefined })
        }
      />
      <NativeSelect
        label={filters.actor}
        data={[{ value: '', label: filters.anyActor }, ...actors]}
        value={search.actorId ?? ''}
        onChange={({ target }) => change({ actorId: target.value || undefined })}
      />
      <NativeSelect
        label={filters.period}
        data={PERIODS}
        value={search.period ?? ''}
        onChange={({ target }) =>
          change({ period: (target.value || undefined) as AuditPeriod | undefined })
        }
      />
    </FilterBar>
  );
}
