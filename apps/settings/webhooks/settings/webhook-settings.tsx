import { Button, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { texts } from '../../texts/index.js';
import { webhookSettings as words } from '../../texts/webhooks/webhook-settings.js';
import { TabTitle } from '../layout/tab-title.js';
import { SecretField } from '../secret/secret-field.js';
import { useWebhook, useWebhookId } from '../webhook-queries.js';
import { DeleteSection } from './delete-section.js';
import { EditSection } from './edit-section.js';
import { OverlapNotice } from './secret-rotation/overlap-notice.js';
import { RotateModal } from './secret-rotation/rotate-modal.js';
import { Section } from './section.js';
import { StatusSection } from './status-section.js';

const { secret, rotation } = words;

export function WebhookSettings() {
  const { data } = useWebhook();
  return (
    <>
      <TabTitle>{texts.webhooks.tabs.settings}</TabTitle>
      {/* `data` is present: the frame of the page renders a tab only after the webhook is loaded. */}
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
