import { Button, Code, Group, Stack } from '@mantine/core';
import { IconEye, IconEyeOff } from '@tabler/icons-react';
import { useState } from 'react';
import { CopyButton } from '../../controls/code.js';
import { ErrorAlert } from '../../controls/states.js';
import { webhookSettings as words } from '../../texts/webhooks/webhook-settings.js';
import { ReceiverCommand } from './receiver-command-field.js';
import { isOnThisMachine } from './receiver-command.js';
import classes from './secret-field.module.css';
import { useSecret } from './use-secret.js';

const MASK = `whsec_${'•'.repeat(32)}`;

const { secret: secretTexts } = words;

/** The signing secret, hidden until the reader asks for it. */
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
