import type { DeliveryStatus } from '#client';
import { deliveryTexts } from '../texts.js';
import type { Period } from './delivery-search.js';

const statusFilter: Record<DeliveryStatus, string> = {
  ...deliveryTexts.status,
  pending: 'Pending or failed, retrying',
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
    count === '1' ? 'This is the only delivery.' : `These are all ${count} deliveries.`,
  loadingMore: 'Loading older deliveries',
  searchedPart: 'No more matches among the 100,000 older deliveries that were searched.',
  searchOn: 'Search further back',
  emptyTitle: 'No deliveries yet',
  emptyText:
    'A delivery appears here when an event happens that this webhook subscribes to. To see one now, send a test event.',
  noMatchTitle: 'No delivery matches',
  noMatchText:
    'Galley keeps deliveries for 30 days, unless its operator has set a different period. Change or clear the filters.',
  noFailureText:
    'A delivery has failed for good when Galley makes no more attempts. To see deliveries that Galley still retries, choose “Pending or failed, retrying”.',
  nothingWaits: 'No deliveries are waiting.',
  waiting: {
    active: 'Some deliveries are waiting for their first or next attempt.',
    failing:
      'This webhook is failing. Galley makes one attempt at a time, with pauses, until the receiver responds with 2xx. All other deliveries wait.',
    disabled:
      'This webhook is disabled. Galley holds its events for up to 30 days, and sends them when you enable the webhook.',
  },
};
