import type { DeliveryStatus } from '#client';
import { deliveryTexts } from '../texts.js';
import type { Period } from './delivery-search.js';

const statusFilter: Record<DeliveryStatus, string> = {
  ...deliveryTexts.status,
  pending: 'Pending or retrying',
};

const periods: Record<Period, string> = {
  '1h': 'Last hour',
  '24h': 'Last 24 hours',
  '7d': 'Last 7 days',
  custom: 'Custom range',
};

export const words = {
  tableLabel: 'Deliveries, newest first',
  columns: {
    status: 'Status',
    event: 'Event',
    resource: 'Resource',
    attempts: 'Attempts',
    response: 'Last response',
    created: 'Created',
  },
  attemptCount: (count: number) => (count === 1 ? '1 attempt' : `${count} attempts`),
  filters: {
    status: 'Status',
    anyStatus: 'Any status',
    statuses: statusFilter,
    event: 'Event',
    anyEvent: 'Any event',
    period: 'Created',
    anyPeriod: 'Any time',
    periods,
    since: 'From',
    until: 'Before',
    resource: (id: string) => `Resource ${id}`,
    removeResource: 'Show all resources',
  },
  newDeliveries: (count: string) =>
    `Show ${count} new ${count === '1' ? 'delivery' : 'deliveries'}`,
  loadedAll: (count: string) =>
    count === '1' ? 'This is the only delivery.' : `All ${count} deliveries are shown.`,
  loadingMore: 'Loading older deliveries',
  searchedPart: 'Galley searched 100,000 older deliveries and found no more matches.',
  searchOn: 'Search further back',
  emptyTitle: 'No deliveries yet',
  emptyText:
    'A delivery appears here when an event happens that this webhook subscribes to. To see one now, send a test event.',
  noMatchTitle: 'No matching deliveries',
  noMatchText:
    'Change or clear the filters. Galley keeps deliveries for 30 days, unless its operator has set a different period.',
  noFailureText:
    'A delivery has failed for good once Galley stops retrying it. To see deliveries that Galley is still retrying, choose “Pending or retrying”.',
  nothingWaits: 'No deliveries are waiting.',
  waiting: {
    active: 'Some deliveries are waiting for their first or next attempt.',
    failing:
      'This webhook is failing. Galley makes one attempt at a time, with pauses, until the receiver responds with 2xx. All other deliveries wait.',
    disabled:
      'This webhook is disabled. Galley holds its events for up to 30 days. When you enable the webhook, you decide whether Galley sends or discards them.',
  },
};
