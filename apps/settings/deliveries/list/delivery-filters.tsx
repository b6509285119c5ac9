import type { DeliveryStatus, EventKind } from '#client';
import { NativeSelect, Pill, TextInput } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { eventKinds } from '../../api/values.js';
import { fromLocalInput, shortId, toLocalInput } from '../../controls/format.js';
import { FilterBar } from '../../lists/filter-bar.js';
import { deliveryStatuses, periods, type DeliverySearch, type Period } from './delivery-search.js';
import { words } from './texts.js';

const listApi = getRouteApi('/w/$workspaceId/webhooks/$webhookId/deliveries');
const { filters } = words;

const STATUSES = [
  { value: '', label: filters.anyStatus },
  ...deliveryStatuses.map((value) => ({ value, label: filters.statuses[value] })),
];
const EVENTS = [{ value: '', label: filters.anyEvent }, ...eventKinds];
const PERIODS = [
  { value: '', label: filters.anyPeriod },
  ...periods.map((value) => ({ value, label: filters.periods[value] })),
];

/** Filters the list. The filters are in the URL, so that a shared link shows the same list. */
export function DeliveryFilters({ search }: { search: DeliverySearch }) {
  const navigate = listApi.useNavigate();
  const change = (changes: { [Name in keyof DeliverySearch]: DeliverySearch[Name] | undefined }) =>
    void navigate({ search: (old) => ({ ...old, ...changes }), replace: true });
  return (
    <FilterBar
      isFiltered={Object.keys(search).length > 0}
      onClear={() => void navigate({ search: {}, replace: true })}
    >
      <NativeSelect
        label={filters.status}
        data={STATUSES}
        value={search.status ?? ''}
        onChange={({ target }) =>
          change({ status: (target.value || undefined) as DeliveryStatus | undefined })
        }
      />
      <NativeSelect
        label={filters.event}
        data={EVENTS}
        value={search.event ?? ''}
        onChange={({ target }) =>
          change({ event: (target.value || undefined) as EventKind | undefined })
        }
      />
      <NativeSelect
        label={filters.period}
        data={PERIODS}
        value={search.period ?? ''}
        onChange={({ target }) =>
          change({ period: (target.value || undefined) as Period | undefined })
        }
      />
      {search.period === 'custom' && (
        <>
          <TextInput
            type="datetime-local"
            label={filters.since}
            defaultValue={toLocalInput(search.since)}
            onChange={({ target }) => change({ since: fromLocalInput(target.value) })}
          />
          <TextInput
            type="datetime-local"
            label={filters.until}
            defaultValue={toLocalInput(search.until)}
            onChange={({ target }) => change({ until: fromLocalInput(target.value) })}
          />
        </>
      )}
      {search.resourceId !== undefined && (
        <Pill
          size="lg"
          withRemoveButton
          onRemove={() => change({ resourceId: undefined })}
          removeButtonProps={{
            'aria-label': filters.removeResource,
            tabIndex: 0,
            'aria-hidden': false,
          }}
          title={search.resourceId}
        >
          {filters.resource(shortId(search.resourceId))}
        </Pill>
      )}
    </FilterBar>
  );
}
