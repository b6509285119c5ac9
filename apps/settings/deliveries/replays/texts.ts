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
    'A replay sends finished deliveries again, each as a new delivery with the same webhook-id. Receivers that have already processed an event recognise it by this ID. If you leave “Created before” empty, the replay includes everything up to now.',
  since: 'Created from',
  until: 'Created before',
  events: 'Events',
  allEvents: 'All events',
  statuses: 'Status of the deliveries',
  status,
  resource: 'Resource ID',
  allResources: 'All resources',
  sinceMissing: 'Choose a time.',
  untilTooEarly: 'Choose a time after “Created from”.',
  statusMissing: 'Choose at least one status.',
  resourceInvalid: 'Enter an ID such as 01936f60-0b7e-7a66-a1d4-93c8f0e27b15.',
  count: 'Count deliveries',
  counted: (count: number) =>
    count === 0
      ? 'No deliveries match. A replay does not repeat the deliveries of earlier replays.'
      : `${formatNumber(count)} ${plural(count)} will be sent again.`,
  start: (count: number) => `Send ${formatNumber(count)} ${plural(count)} again`,
  started: 'The replay has started.',
  oneAtATime:
    'Only one replay can run for a webhook at a time. Wait until the running replay is done, or cancel it.',
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
  cancelLabel: (time: string) => `Cancel the replay started on ${time}`,
  cancelTitle: 'Cancel this replay?',
  cancelText:
    'Galley will create no more deliveries for this replay, and will cancel those that are waiting. Attempts that are already in progress will finish.',
  cancelAction: 'Cancel replay',
  emptyTitle: 'No replays yet',
  emptyText:
    'If your receiver missed events, use the form above to count them and send them again.',
};
