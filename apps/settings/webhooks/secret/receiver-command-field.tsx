import { Code, Group, Text } from '@mantine/core';
import { CopyButton } from '../../controls/code.js';
import { useSampleReceiver } from '../../session/session.js';
import { webhookSettings as words } from '../../texts/webhooks/webhook-settings.js';
import { useWebhook } from '../webhook-queries.js';
import { isPortOfSampleReceiver, receiverCommand } from './receiver-command.js';
import classes from './secret-field.module.css';

const { secret: secretTexts } = words;

interface ReceiverCommandProps {
  /** The secret, or a mask while the secret is hidden. */
  shownSecret: string;
  readSecret: () => Promise<string | undefined>;
}

/** Shows how to start the sample subscriber for this webhook. Only for a Galley that runs on the reader's machine. */
export function ReceiverCommand({ shownSecret, readSecret }: ReceiverCommandProps) {
  const url = useWebhook().data?.webhook.url;
  const sampleReceiver = useSampleReceiver();
  if (url === undefined) return null;
  // The sample receiver already listens on that port.
  if (sampleReceiver !== undefined && isPortOfSampleReceiver(url, sampleReceiver)) return null;
  const readCommand = async () => {
    const secret = await readSecret();
    return secret && receiverCommand(url, secret);
  };
  return (
    <div>
      <Text size="sm" mt="xs" mb={4}>
        {secretTexts.receiver}
      </Text>
      <Group gap="xs">
        <Code className={classes['secret'] ?? ''} aria-label={secretTexts.receiver}>
          {receiverCommand(url, shownSecret)}
        </Code>
        <CopyButton value={readCommand} label={secretTexts.copyCommand} />
      </Group>
    </div>
  );
}
