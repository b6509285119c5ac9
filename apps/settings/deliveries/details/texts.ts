export const words = {
  allDeliveries: 'All deliveries',
  facts: {
    label: 'Summary',
    resource: 'Resource',
    eventId: 'Event ID',
    eventIdHint: 'Sent as the webhook-id header, the same in every attempt',
    sequence: 'Position',
    sequenceText: (position: string) => `Event ${position} of this resource`,
    url: 'Sent to',
    created: 'Created',
    finished: 'Finished',
    sameResource: 'All deliveries of this resource',
  },
  state: {
    delivered: (attempts: string) => `The receiver accepted the event on ${attempts}.`,
    attempts: (count: number) => (count === 1 ? 'the first attempt' : `attempt ${count}`),
    firstAttemptDue: 'The first attempt starts now.',
    waitsForEarlier:
      'This delivery waits for an earlier delivery of the same resource, because the webhook sends events in order.',
    nextAttempt: (number: number, time: string) =>
      `Attempt ${number} of 10 starts ${time}, or later if Galley pauses the webhook because other attempts fail.`,
    nextExtraAttempt: (time: string) => `The next attempt starts ${time}.`,
    attemptDue:
      'The next attempt is due now, but it may have to wait: while a webhook is failing, Galley makes one attempt at a time.',
    held: 'Galley sends nothing while the webhook is disabled. When you enable it, you decide whether Galley sends or discards this delivery.',
    failed: 'Galley makes no more automatic attempts. Fix the receiver, then send the event again.',
    cancelled: 'Somebody cancelled this delivery. You can still send it.',
  },
  actions: {
    sendNow: 'Send now',
    sendAgain: 'Send again',
    cancel: 'Cancel delivery',
    cancelTitle: 'Cancel this delivery?',
    cancelText: 'The receiver will not get this event. You can still send it later.',
    curl: 'Copy as curl',
  },
  retried: {
    sending: 'Galley is sending the event.',
    sendingNew: 'Galley is sending the event again, as a new delivery.',
    slow: 'The attempt has not finished yet. If the webhook is failing or has a rate limit, the attempt may have to wait for other attempts. This page updates automatically.',
    succeeded: (statusCode: string, duration: string) =>
      `The attempt succeeded: the receiver responded with ${statusCode} after ${duration}.`,
    failed: (reason: string) => `The attempt failed: ${reason}.`,
    succeededNew: (statusCode: string, duration: string) =>
      `The new delivery succeeded: the receiver responded with ${statusCode} after ${duration}.`,
    failedNew: (reason: string) =>
      `The new delivery failed: ${reason}. The delivery on this page is still marked as delivered.`,
    cancelled: 'The delivery was cancelled in the meantime.',
    held: 'The webhook was disabled in the meantime. Galley holds the delivery.',
    showNew: 'Show the new delivery',
  },
  curl: {
    title: 'Send this request with curl',
    signature:
      'The signatures include the time of the attempt, so receivers reject them after five minutes. Turn off the time check of your receiver while you test, or send the delivery again.',
    hiddenHeaders: (names: string) =>
      `Galley does not show the values of custom headers. In ${names}, replace ******** with the real value.`,
    command: 'Command',
  },
  attempts: {
    title: 'Attempts',
    number: (number: number) => `Attempt ${number}`,
    none: 'Galley has not made an attempt yet. The first attempt appears here automatically.',
    older: (count: string) => `${count} older attempts are not shown.`,
    succeeded: (statusCode: number, duration: string) =>
      `The receiver responded with ${statusCode} after ${duration}.`,
    failedAfter: (duration: string) => `Failed after ${duration}`,
    since: (time: string) => `+${time}`,
  },
};
