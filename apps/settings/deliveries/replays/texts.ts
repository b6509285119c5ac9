import type { FinishedStatus, ReplayStatus } from '#client';

const status: Record<FinishedStatus, string> = {
  delivered: 'Delivered',
  failed: 'Failed for good',
  cancelled: 'Cancelled',
};

const jobStatus: Record<ReplayStatus, string> = {
  running: 'Running',
  done: 'Done',
  cancelled: 'Cancelled',
};

const plural = (count: number) => (count === 1 ? 'delivery' : 'deliveries');
const formatNumber = (count: number) => count.toLocaleString('en');

export const words = {
  formTitle: 'Send past events again',
  formText:
    'A replay sends finished deliveries again, each as a new delivery with the same webhook-id. Receivers that have already processed an event recognise it by this id. Without an end, a replay goes up to now.',
  since: 'Created from',
  until: 'Created before',
  events: 'Events',
  allEvents: 'All events',
  statuses: 'Deliveries that ended as',
  status,
  resource: 'Resource id',
  allResources: 'All templates and modules',
  sinceMissing: 'Choose a time.',
  untilTooEarly: 'Choose a time after the first one.',
  statusMissing: 'Choose at least one.',
  resourceInvalid: 'An id looks like 01936f60-0b7e-7a66-a1d4-93c8f0e27b15.',
  count: 'Count deliveries',
  counted: (count: number) =>
    count === 0
      ? 'No delivery matches. Deliveries of earlier replays are not repeated.'
      : `${formatNumber(count)} ${plural(count)} will be sent again.`,
  start: (count: number) => `Send ${formatNumber(count)} ${plural(count)} again`,
  started: 'The replay has started.',
  oneAtATime: 'A webhook has one replay at a time. Wait until this replay is done, or cancel it.',
  disabled:
    'The webhook is disabled. The deliveries of a replay are held until you enable the webhook.',
  listTitle: 'Replays',
  columns: {
    started: 'Started',
    status: 'Status',
    progress: 'Sent again',
    finished: 'Finished',
    actions: 'Actions',
  },
  jobStatus,
  progress: (done: number, total: number) => `${formatNumber(done)} of ${formatNumber(total)}`,
  progressLabel: 'Progress of the replay',
  cancel: 'Cancel',
  cancelLabel: (time: string) => `Cancel the replay of ${time}`,
  cancelTitle: 'Cancel this replay?',
  cancelText:
    'Galley creates no more deliveries, and cancels those of the replay that still wait. Attempts in flight come to their end.',
  cancelAction: 'Cancel replay',
  emptyTitle: 'No replays yet',
  emptyText: 'When your receiver has missed events, count and send them again with the form above.',
};
