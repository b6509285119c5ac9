import { Anchor, Text } from '@mantine/core';
import { useSampleReceiver } from '../../session/session.js';
import { sampleReceiver } from '../../texts/webhooks/sample-receiver.js';
import type { WebhookForm } from '../form/use-webhook-form.js';
import { SampleReceiverLink } from './sample-receiver-link.js';

/** Fills in the URL of the sample receiver, for readers who have no receiver yet. */
export function SampleReceiverOffer({ form }: { form: WebhookForm }) {
  const url = useSampleReceiver();
  if (url === undefined) return null;
  const choose = () => {
    form.setFieldValue('url', url);
    // The button disappears, and would take the keyboard focus with it.
    form.getInputNode('url')?.focus();
  };
  return (
    <Text size="sm" mt={6}>
      {form.values.url === url ? (
        <>
          {sampleReceiver.chosen} <SampleReceiverLink url={url} />
        </>
      ) : (
        <>
          {sampleReceiver.offer}{' '}
          <Anchor component="button" type="button" inherit underline="always" onClick={choose}>
            {sampleReceiver.use}
          </Anchor>
        </>
      )}
    </Text>
  );
}
