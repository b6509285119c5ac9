import { Button, Code, Group, Stack, Text } from '@mantine/core';
import { IconEye, IconEyeOff } from '@tabler/icons-react';
import { useState } from 'react';
import { CopyButton } from '../../controls/code.js';
import { ErrorAlert } from '../../controls/states.js';
import { useSampleReceiver } from '../../session/session.js';
import classes from '../parts.module.css';
import { webhookTexts } from '../texts.js';
import { useSecret, useWebhook } from '../webhook-queries.js';
import { isOnThisMachine, isPortOfSampleReceiver, receiverCommand } from './receiver-command.js';

const MASK = `whsec_${'•'.repeat(32)}`;

const { secret: secretTexts } = webhookTexts;

/** The signing secret, hidden until the user reveals it. */
export function SecretField({ webhookId }: { webhookId: string }) {
  const [isShown, setIsShown] = useState(false);
  const { data: secret, error, isFetching, refetch } = useSecret(webhookId);
  const readSecret = async () => secret ?? (await refetch()).data;
  const toggle = async () => {
    if (!isShown && (await readSecret()) === undefined) return;
    setIsShown(!isShown);
  };
  const Icon = isShown ? IconEyeOff : IconEye;
  const shownSecret = isShown && secret !== undefined ? secret : MASK;
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <Code className={classes['secret'] ?? ''} aria-label={secretTexts.label}>
          {shownSecret}
        </Code>
        <Button
          size="xs"
          variant="default"
          leftSection={<Icon size={14} />}
          loading={isFetching}
          onClick={() => void toggle()}
        >
          {isShown ? secretTexts.hide : secretTexts.show}
        </Button>
        <CopyButton value={readSecret} label={secretTexts.copy} />
      </Group>
      {error && <ErrorAlert error={error} />}
      {isOnThisMachine(window.location.hostname) && (
        <ReceiverCommand shownSecret={shownSecret} readSecret={readSecret} />
      )}
    </Stack>
  );
}

interface ReceiverCommandProps {
  /** The secret, or a mask while the secret is hidden. */
  shownSecret: string;
  readSecret: () => Promise<string | undefined>;
}

/** Shows how to start the sample subscriber for this webhook. Used only if Galley runs on the user's machine. */
function ReceiverCommand({ shownSecret, readSecret }: ReceiverCommandProps) {
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
