export const words = {
  edit: {
    title: 'Endpoint and events',
    saved: 'The webhook was saved.',
    discard: 'Discard changes',
    conflictTitle: 'Somebody else changed this webhook',
    conflictText:
      'Your changes are still here, but they are not saved yet. The fields that you did not change now show what the other person saved. Check all fields, then save again.',
  },
  status: {
    title: 'Status',
    changed: 'Changed',
    enable: 'Enable',
    enableTitle: 'Enable the webhook',
    enableText:
      'While the webhook is disabled, Galley sends nothing. It holds new events for 30 days, unless your operator has set a different period.',
    enableAndDiscard: 'Enable and discard',
    enabled: 'The webhook is enabled.',
    heldLabel: 'What should happen to the events that Galley holds?',
    held: { send: 'Send them', discard: 'Discard them' },
    heldDescription: {
      send: 'Galley sends at most 50 per second, so that your receiver can keep up.',
      discard: 'Your receiver never gets them. They stay in the list of deliveries as cancelled.',
    },
    disable: 'Disable',
    disableTitle: 'Disable the webhook?',
    disableText:
      'While a webhook is disabled, Galley sends nothing to it and holds its events for 30 days, unless your operator has set a different period. When you enable the webhook, you decide whether Galley sends or discards them.',
    disabled: 'The webhook is disabled. Galley holds its events.',
  },
  secret: {
    title: 'Signing secret',
    text: 'Galley signs each notification with this secret.',
    audited:
      'When this page reads the secret so that you can show or copy it, Galley adds an entry to the audit log.',
  },
  rotation: {
    open: 'Rotate secret',
    title: 'Rotate the secret',
    text: 'Galley creates a new secret and signs with it immediately. During the overlap, Galley also signs each notification with the previous secret, so that you have time to configure your receiver.',
    overlapHours: 'Overlap in hours',
    overlapHoursDescription: 'From 0 to 168 hours (7 days).',
    noOverlap:
      'Without an overlap, your receiver rejects notifications until it has the new secret. Choose no overlap if the secret has leaked.',
    action: 'Rotate secret',
    done: 'Galley now signs with the new secret. Copy it to your receiver.',
    overlapTitle: 'Earlier secrets are still in use',
    signsFor: (duration: string, end: string) =>
      `Galley also signs with an earlier secret for another ${duration}, until ${end}.`,
    overlapText: 'Configure your receiver with the new secret before then.',
  },
  deletion: {
    title: 'Delete the webhook',
    text: 'Galley deletes the webhook, its waiting deliveries and its delivery log. This cannot be undone. To stop deliveries temporarily, disable the webhook instead.',
    action: 'Delete webhook',
    confirmTitle: 'Delete this webhook?',
    typeHost: (host: string) => `Type ${host} to confirm`,
    done: 'The webhook was deleted.',
  },
};
