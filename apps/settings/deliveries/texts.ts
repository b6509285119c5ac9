import type { ShownStatus } from './outcomes.js';

const status: Record<ShownStatus, string> = {
  pending: 'Pending',
  retrying: 'Failed, retrying',
  held: 'Held',
  delivered: 'Delivered',
  failed: 'Failed for good',
  cancelled: 'Cancelled',
};

/** Texts that the views of deliveries, events and webhooks share. */
export const deliveryTexts = {
  title: 'Deliveries',
  status,
  noAttempt: 'Not sent yet',
  bulk: {
    retry: 'Send all now',
    retryTitle: 'Send all pending deliveries now?',
    retryText:
      'Galley sends all pending deliveries now instead of at their scheduled times, at most 50 per second. Fix the receiver first.',
    retried: (count: string) =>
      count === '0'
        ? 'Galley was already sending all pending deliveries.'
        : `Galley has started sending ${count} ${count === '1' ? 'delivery' : 'deliveries'}.`,
    cancel: 'Cancel all deliveries',
    cancelTitle: 'Cancel all pending and held deliveries?',
    cancelText:
      'The receiver will not get these events. You can still send them later, one by one or with a replay.',
    cancelled: (count: string) =>
      `${count} ${count === '1' ? 'delivery was' : 'deliveries were'} cancelled.`,
  },
  advice: { cause: 'Usual cause', action: 'What to do' },
  message: {
    request: 'Request',
    response: 'Response',
    headers: 'Headers',
    headerName: 'Name',
    headerValue: 'Value',
    body: 'Body',
    formatted: 'Formatted',
    raw: 'Raw',
    view: (part: string) => `Format of the ${part.toLowerCase()} body`,
    noRequest: 'Nothing was sent.',
    noResponse: 'There was no response.',
    emptyBody: 'The body is empty.',
    bodyGone: 'The event has expired, so its body is no longer available.',
    truncated: 'Galley keeps only the first 16 KiB of a response.',
    showAll: (lines: string) => `Show all ${lines} lines`,
    showLess: 'Show less',
  },
};
