export const words = {
  intro:
    'Everything that happens in the workspace, newest first. Your systems can read the same events from the API.',
  tableLabel: 'Events, newest first',
  columns: {
    event: 'Event',
    name: 'Name',
    resource: 'Resource',
    position: 'Position',
    time: 'Time',
  },
  newEvents: (count: string) => `Show ${count} new ${count === '1' ? 'event' : 'events'}`,
  loadingOlder: 'Loading older events',
  oldest:
    'Older events have expired. Galley keeps events for 30 days, unless its operator has set a different period.',
  first: 'This is the first event of the workspace.',
  emptyTitle: 'No events yet',
  emptyText:
    'Create, change or delete a template or a module with the API, and the event appears here within about a second.',
  allEvents: 'All events',
  position: (position: string) => `Event ${position}`,
  facts: {
    label: 'Summary',
    id: 'Event ID',
    resource: 'Resource',
    time: 'Time',
    sequence: 'Position',
    sequenceText: (position: string) => `Event ${position} of this resource`,
  },
  data: 'Data',
  previous: 'Older event',
  next: 'Newer event',
  goneTitle: 'Event not found',
  goneText:
    'The event at this position has not happened yet, or it has expired. Galley keeps events for 30 days, unless its operator has set a different period.',
  recipientsTitle: 'Sent to',
  recipientsText:
    'Galley created these deliveries when the event happened. If the event was sent again later, the page of each webhook lists the new deliveries.',
  recipientsLabel: 'Deliveries of this event, by webhook',
  recipientColumns: { webhook: 'Webhook', status: 'Delivery', response: 'Last response' },
  noRecipients: 'No webhook received this event, because none subscribed to it at that time.',
  others: (names: string) => `Not sent to ${names}.`,
  noWebhooks: 'The workspace has no webhooks. Create a webhook to receive its events.',
  manyWebhooks: (count: number) => `Only the first ${count} webhooks are included.`,
  adminsOnly: 'Admins of the workspace also see which webhooks received the event.',
};
