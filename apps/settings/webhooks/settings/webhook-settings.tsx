import { Button, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { TabTitle } from '../parts.js';
import { SecretField } from '../secret/secret-field.js';
import { webhookTexts } from '../texts.js';
import { useWebhook, useWebhookId } from '../webhook-queries.js';
import { DeleteSection } from './delete-section.js';
import { EditSection } from './edit-section.js';
import { OverlapNotice, RotateModal } from './secret-rotation.js';
import { Section } from './section.js';
import { StatusSection } from './status-section.js';
import { words } from './texts.js';

const { secret, rotation } = words;

export function WebhookSettings() {
  const { data } = useWebhook();
  return (
    <>
      <TabTitle>{webhookTexts.tabs.settings}</TabTitle>
      {/* `data` is always defined here: the layout renders a tab only after the webhook is loaded. */}
      {data && (
        <Stack gap="md">
          <EditSection current={data} key={data.webhook.id} />
          <StatusSection webhook={data.webhook} />
          <SecretSection />
          <DeleteSection webhook={data.webhook} />
        </Stack>
      )}
    </>
  );
}

function SecretSection() {
  const webhookId = useWebhookId();
  const [isRotating, rotate] = useDisclosure();
  return (
    <Section title={secret.title} text={secret.text}>
      <Stack gap="md">
        <div>
          <SecretField webhookId={webhookId} />
          <Text size="xs" mt="xs">
            {secret.audited}
          </Text>
        </div>
        <OverlapNotice />
        <Button variant="default" w="fit-content" onClick={rotate.open}>
          {rotation.open}
        </Button>
      </Stack>
      <RotateModal opened={isRotating} onClose={rotate.close} />
    </Section>
  );
}
