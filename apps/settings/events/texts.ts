export const words = {
  intro:
    'All that happens in the workspace, newest first. Systems that follow the workspace read the same events from the API.',
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
    'Older events are gone: Galley keeps events for 30 days, unless its operator chose another time.',
  first: 'This is the first event of the workspace.',
  emptyTitle: 'No events yet',
  emptyText:
    'Create, change or delete a template or a module with the API, and the event appears here within about a second.',
  allEvents: 'All events',
  position: (position: string) => `Event ${position}`,
  facts: {
    label: 'Summary',
    id: 'Event id',
    resource: 'Resource',
    time: 'Time',
    sequence: 'Position',
    sequenceText: (position: string) => `Event ${position} of this resource`,
  },
  data: 'Data',
  previous: 'Older event',
  next: 'Newer event',
  goneTitle: 'This event is not here',
  goneText:
    'It has not happened yet, or it is gone: Galley keeps events for 30 days, unless its operator chose another time.',
  recipientsTitle: 'Sent to',
  recipientsText:
    'The deliveries of this event when it happened. Later repetitions are in the lists of the webhooks.',
  recipientsLabel: 'Webhooks and their deliveries of this event',
  recipientColumns: { webhook: 'Webhook', status: 'Delivery', response: 'Last response' },
  noRecipients: 'No webhook got this event: none subscribed to it at that time.',
  others: (names: string) => `Not sent to ${names}.`,
  noWebhooks: 'The workspace has no webhook. Create one to have its events sent to you.',
  manyWebhooks: (count: number) => `Only the first ${count} webhooks are searched.`,
  adminsOnly: 'Admins of the workspace also see which webhooks got the event.',
};
