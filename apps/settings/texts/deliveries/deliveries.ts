import type { DeliveryStatus } from '#client';
import type { Period } from '../../deliveries/list/delivery-search.js';
import type { ShownStatus } from '../../deliveries/shown-status.js';

const status: Record<ShownStatus, string> = {
  pending: 'Pending',
  retrying: 'Failed, retrying',
  held: 'Held',
  delivered: 'Delivered',
  failed: 'Failed for good',
  cancelled: 'Cancelled',
};

const statusFilter: Record<DeliveryStatus, string> = {
  ...status,
  pending: 'Pending or failed, retrying',
};

const periods: Record<Period, string> = {
  '1h': 'Last hour',
  '24h': 'Last 24 hours',
  '7d': 'Last 7 days',
  custom: 'Custom range',
};

export const deliveries = {
  title: 'Deliveries',
  tableLabel: 'Deliveries, newest first',
  status,
  columns: {
    status: 'Status',
    event: 'Event',
    resource: 'Resource',
    attempts: 'Attempts',
    response: 'Last response',
    created: 'Created',
  },
  attemptCount: (count: number) => (count === 1 ? '1 attempt' : `${count} attempts`),
  noAttempt: 'Not sent yet',
  filters: {
    status: 'Status',
    anyStatus: 'Any status',
    statuses: statusFilter,
    event: 'Event',
    anyEvent: 'Any event',
    period: 'Created',
    anyPeriod: 'At any time',
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
  searchedPart: 'No older delivery among the 100,000 that were searched matches the filters.',
  searchOn: 'Search further back',
  emptyTitle: 'No deliveries yet',
  emptyText:
    'A delivery appears here when an event happens that this webhook subscribes to. To see one now, send a test event.',
  noMatchTitle: 'No delivery matches',
  noMatchText:
    'Galley keeps deliveries for 30 days, unless its operator chose another time. Change or clear the filters.',
  noFailureText:
    'A delivery has failed for good when Galley makes no more attempts. Deliveries that Galley still retries are under “Pending or failed, retrying”.',
  nothingWaits: 'No deliveries are waiting.',
  waiting: {
    active: 'Some deliveries wait for their first or next attempt.',
    failing:
      'This webhook is failing. Galley makes one attempt at a time, with pauses, until the receiver responds with 2xx. All other deliveries wait.',
    disabled:
      'This webhook is disabled. Galley holds its events for up to 30 days, and sends them when you enable the webhook.',
  },
  bulk: {
    retry: 'Send all now',
    retryTitle: 'Send all pending deliveries now?',
    retryText:
      'Galley sends all pending deliveries without waiting for their next attempts, at most fifty a second. Do this after you have repaired the receiver.',
    retried: (count: string) =>
      count === '0'
        ? 'All pending deliveries were on their way already.'
        : `Galley started to send ${count} ${count === '1' ? 'delivery' : 'deliveries'}.`,
    cancel: 'Cancel all deliveries',
    cancelTitle: 'Cancel all pending and held deliveries?',
    cancelText:
      'The receiver does not get these events. You can still send them later, one by one or with a replay.',
    cancelled: (count: string) =>
      `${count} ${count === '1' ? 'delivery was' : 'deliveries were'} cancelled.`,
  },
};
