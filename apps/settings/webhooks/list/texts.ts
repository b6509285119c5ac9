import type { RecentHour } from '#client';

export const words = {
  create: 'Create webhook',
  emptyTitle: 'No webhooks yet',
  emptyText:
    'A webhook sends the events of this workspace, such as a change to a template, to your URL. Galley sends each event within seconds, retries failed deliveries and shows why they failed.',
  events: (count: number) => (count === 1 ? '1 kind of event' : `${count} kinds of events`),
  allEvents: 'All events',
  noAttempts: 'No attempts',
  successRate: (rate: string) => `${rate} succeeded`,
  statuses:
    'Active: Galley sends events as they occur. Failing: five consecutive attempts failed, so Galley makes one attempt at a time. Disabled: Galley holds events and sends nothing.',
  last24Hours: 'Last 24 hours',
  noFailure: 'No failures in the log',
  lastFailure: 'Last failure',
  sparkline: (failedHours: number) =>
    failedHours === 0
      ? 'Attempts in the last 24 hours. No attempt failed.'
      : `Attempts in the last 24 hours. There were failed attempts in ${failedHours} of the 24 hours.`,
  hour: (time: string, { delivered, retried, failed }: RecentHour) =>
    `From ${time}: ${delivered} delivered, ${retried} failed and retried, ${failed} failed for good`,
};
