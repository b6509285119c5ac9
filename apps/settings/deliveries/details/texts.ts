export const words = {
  allDeliveries: 'All deliveries',
  facts: {
    label: 'Summary',
    resource: 'Resource',
    eventId: 'Event id',
    eventIdHint: 'The webhook-id header; the same in every attempt',
    sequence: 'Position',
    sequenceText: (position: string) => `Event ${position} of this resource`,
    url: 'Sent to',
    created: 'Created',
    finished: 'Finished',
    sameResource: 'All deliveries of this resource',
    openEvent: 'Find the event',
  },
  state: {
    delivered: (attempts: string) => `The receiver accepted the event with ${attempts}.`,
    attempts: (count: number) => (count === 1 ? 'the first attempt' : `attempt ${count}`),
    firstAttemptDue: 'The first attempt starts now.',
    waitsForEarlier:
      'This delivery waits for an earlier delivery of the same resource, because the webhook sends events in order.',
    nextAttempt: (number: number, time: string) =>
      `Attempt ${number} of 10 starts ${time}, or later if other attempts of the webhook fail and Galley pauses.`,
    nextExtraAttempt: (time: string) => `The next attempt starts ${time}.`,
    attemptDue:
      'The next attempt is due now. It starts when the webhook may send: a failing webhook makes one attempt at a time.',
    held: 'Galley sends nothing while the webhook is disabled. It sends this delivery after you enable the webhook.',
    failed:
      'Galley makes no more attempts by itself. Correct the receiver, then send the event again.',
    cancelled: 'Somebody cancelled this delivery. You can still send it.',
  },
  actions: {
    sendNow: 'Send now',
    sendAgain: 'Send again',
    cancel: 'Cancel delivery',
    cancelTitle: 'Cancel this delivery?',
    cancelText: 'The receiver does not get this event. You can still send it later.',
    curl: 'Copy as curl',
  },
  retried: {
    sending: 'Galley is sending the event.',
    sendingNew: 'Galley is sending the event again, as a new delivery.',
    slow: 'The attempt has not ended yet. This page keeps watching. Other attempts of a failing webhook, or its rate limit, can delay it.',
    succeeded: (statusCode: string, duration: string) =>
      `It worked: the receiver responded with ${statusCode} after ${duration}.`,
    failed: (reason: string) => `The attempt failed: ${reason}.`,
    succeededNew: (statusCode: string, duration: string) =>
      `The new delivery arrived: the receiver responded with ${statusCode} after ${duration}.`,
    failedNew: (reason: string) =>
      `The new delivery failed: ${reason}. The delivery on this page stays delivered.`,
    cancelled: 'The delivery was cancelled meanwhile.',
    held: 'The webhook was disabled meanwhile. Galley holds the delivery.',
    showNew: 'Show the new delivery',
  },
  curl: {
    title: 'Send this request with curl',
    signature:
      'The signatures belong to the time of the attempt. Receivers reject them after five minutes: turn that check off while you test, or send the delivery again.',
    hiddenHeaders: (names: string) =>
      `Galley shows no values of your own headers. Replace ******** in ${names}.`,
    command: 'Command',
  },
  attempts: {
    title: 'Attempts',
    number: (number: number) => `Attempt ${number}`,
    none: 'Galley has made no attempt yet. The attempt appears here by itself.',
    older: (count: string) => `${count} older attempts are not shown.`,
    succeeded: (statusCode: number, duration: string) =>
      `The receiver responded with ${statusCode} after ${duration}.`,
    failedAfter: (duration: string) => `Failed after ${duration}`,
    since: (time: string) => `+${time}`,
  },
};
