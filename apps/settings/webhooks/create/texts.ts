export const words = {
  newTitle: 'New webhook',
  create: 'Create webhook',
  title: 'Webhook created',
  text: 'From now on, Galley sends the events that you have chosen. Three steps make sure that your receiver can trust them.',
  sampleText:
    'Send a test event to see a delivery. The other steps are for a receiver of your own: the sample receiver verifies no signature.',
  secret: {
    title: 'Store the signing secret',
    text: 'Galley signs each notification with it. Store it where your receiver reads its configuration, as WEBHOOK_SECRET. You can show it again in the settings of the webhook.',
  },
  verify: {
    title: 'Verify notifications',
    text: 'Verify the signature over the raw body before you trust a notification. Galley follows Standard Webhooks, which has a library for your language.',
    languages: 'Language',
    install: 'Install',
    code: 'Verify',
  },
  test: {
    title: 'Send a test event',
    text: 'Galley sends webhook.test to this webhook only, and shows what your receiver responded. On the other pages of the webhook, the button is at the top.',
  },
};
