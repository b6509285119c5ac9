const deliveries = (count: string, isOne: boolean): string =>
  isOne ? `${count} delivery` : `${count} deliveries`;

const attempts = (count: number): string => (count === 1 ? '1 attempt' : `${count} attempts`);

const steps = { '1h': 'five-minute', '24h': 'one-hour', '7d': 'six-hour', '30d': 'one-day' };

export const words = {
  health: {
    title: 'Health',
    healthy: 'The last attempt succeeded.',
    unproven: 'Galley sends the next event as soon as it occurs.',
    someFailures: (count: number) =>
      count === 1 ? 'The last attempt failed.' : `The last ${attempts(count)} failed.`,
    failing: (count: number) =>
      count === 1 ? '1 attempt failed.' : `${count} consecutive attempts failed.`,
    oneAtATime:
      'Galley makes one attempt at a time, with pauses in between, until an attempt succeeds.',
    pausedByFailures: (until: string, count: number) =>
      `Paused until ${until} because ${count === 1 ? 'an attempt' : `${count} consecutive attempts`} failed.`,
    afterPause: 'Then Galley makes one attempt. If it succeeds, all deliveries continue.',
    pausedByReceiver: (until: string) =>
      `Paused until ${until} because your receiver asked Galley to wait (Retry-After).`,
    afterPauseByReceiver:
      'Then Galley tries one delivery. If it succeeds, all deliveries continue.',
    disabled: 'Disabled. Galley sends nothing.',
    held: (count: string, isOne: boolean) =>
      `Galley holds ${deliveries(count, isOne)}. When you enable the webhook, you decide whether Galley sends or discards ${isOne ? 'it' : 'them'}.`,
    nothingHeld: 'No delivery is held. Galley holds new events until you enable the webhook.',
    nothingPending: 'No deliveries are waiting.',
    pending: (count: string, isOne: boolean) =>
      `${deliveries(count, isOne)} ${isOne ? 'is' : 'are'} waiting.`,
    atLeast: (count: string) => `${count} or more`,
    nextAttempt: (time: string) => `The next attempt is at ${time}.`,
    lastFailure: 'The last failure was',
    showDelivery: 'Show the delivery',
    sendAllNow: 'Send all now',
    openSettings: 'Enable it in the settings',
  },
  statistics: {
    title: 'Deliveries over time',
    range: 'Range',
    ranges: { '1h': '1 hour', '24h': '24 hours', '7d': '7 days', '30d': '30 days' },
  },
  totals: {
    successRate: 'Success rate',
    attempts: 'Attempts',
    delivered: 'Delivered',
    retried: 'Failed, retried',
    failed: 'Failed for good',
    responseTime: 'p50 / p95',
    none: '–',
    tooFewAttempts: (needed: number) => `Needs ${attempts(needed)}`,
    showTable: 'Show as a table',
  },
  outcomes: {
    title: 'Attempts by outcome',
    time: 'From',
    delivered: 'Delivered',
    retried: 'Failed, retried',
    failed: 'Failed for good',
  },
  responseTimes: {
    title: 'Response time of your receiver',
    p50: 'p50 (half are faster)',
    p95: 'p95 (95% are faster)',
    estimate: (duration: string) => `≈ ${duration}`,
    attempts: (time: string, count: string) =>
      `${time}: ${count} ${count === '1' ? 'attempt' : 'attempts'}`,
    minimum: (range: keyof typeof steps, count: number) =>
      `The chart shows only ${steps[range]} periods with at least ${count} attempts.`,
  },
  history: {
    title: 'Status history',
    empty: 'The status has never changed: the webhook has been active since it was created.',
    showAll: (count: number) => `Show all ${count} changes`,
  },
};
