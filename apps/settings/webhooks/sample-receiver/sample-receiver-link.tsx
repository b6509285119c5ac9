import { Anchor } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { useSampleReceiver } from '../../session/session.js';
import { sampleReceiver } from '../../texts/webhooks/sample-receiver.js';
import classes from './sample-receiver-link.module.css';

/** Links to the page of the sample receiver, if the webhook sends to the sample receiver. */
export function SampleReceiverLink({ url }: { url: string }) {
  if (url !== useSampleReceiver()) return null;
  return (
    <Anchor href={url} target="_blank" size="sm" underline="always" display="inline-block" mt={4}>
      {sampleReceiver.open}
      <IconExternalLink size={14} aria-hidden className={classes['icon']} />
    </Anchor>
  );
}
