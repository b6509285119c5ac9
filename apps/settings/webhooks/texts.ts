/** Texts that several webhook views share. */
export const webhookTexts = {
  tabs: {
    label: 'Webhook sections',
    overview: 'Overview',
    deliveries: 'Deliveries',
    replays: 'Replays',
    settings: 'Settings',
  },
  status: { active: 'Active', failing: 'Failing', disabled: 'Disabled' },
  secret: {
    receiver:
      'To try the webhook on this machine, start the sample subscriber in the Galley folder:',
    copyCommand: 'Copy command',
    label: 'Signing secret',
    show: 'Show',
    hide: 'Hide',
    copy: 'Copy secret',
  },
  /** Only development installations have a sample receiver. */
  sampleReceiver: {
    offer:
      'No receiver yet? “npm start” also runs a sample receiver on this machine. Its page shows every message.',
    use: 'Use the sample receiver',
    chosen:
      'The page of the sample receiver shows every message. On that page, you can also choose how the receiver responds.',
    open: 'Open the sample receiver',
  },
};
