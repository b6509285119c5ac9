export const words = {
  newTitle: 'New webhook',
  create: 'Create webhook',
  title: 'Webhook created',
  text: 'Galley now sends the events that you chose. Follow these three steps so that your receiver can verify the events.',
  sampleText:
    'Send a test event to see a delivery. The other steps are for a receiver of your own, because the sample receiver does not verify signatures.',
  secret: {
    title: 'Store the signing secret',
    text: 'Galley signs each notification with this secret. Store it as WEBHOOK_SECRET in the configuration of your receiver. You can view it again in the settings of the webhook.',
  },
  verify: {
    title: 'Verify notifications',
    text: 'Verify the signature over the raw body before you trust a notification. Galley follows Standard Webhooks, which has libraries for many languages.',
    languages: 'Language',
    install: 'Install',
    code: 'Verify',
  },
  test: {
    title: 'Send a test event',
    text: 'Galley sends webhook.test to this webhook only, and shows the response of your receiver. To send more test events later, use the button at the top of the other pages of the webhook.',
  },
};
