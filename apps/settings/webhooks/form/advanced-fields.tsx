import { NumberInput, Stack, Switch, Textarea } from '@mantine/core';
import { texts } from '../../texts/index.js';
import { HeaderRows } from './header-rows.js';
import type { WebhookForm } from './use-webhook-form.js';

const { advanced } = texts.webhookForm;

export function AdvancedFields({ form }: { form: WebhookForm }) {
  return (
    <Stack gap="lg">
      <Textarea
        label={advanced.resourceIds}
        description={advanced.resourceIdsDescription}
        autosize
        minRows={2}
        maxRows={8}
        {...form.getInputProps('resourceIds')}
      />
      <HeaderRows
        value={form.values.headers}
        error={form.errors['headers'] as string | undefined}
        onChange={(rows) => form.setFieldValue('headers', rows)}
      />
      <NumberInput
        label={advanced.rateLimit}
        description={advanced.rateLimitDescription}
        placeholder={advanced.noLimit}
        min={1}
        max={1_000}
        clampBehavior="none"
        allowDecimal={false}
        allowNegative={false}
        maw={320}
        {...form.getInputProps('rateLimit')}
      />
      <Switch
        label={advanced.ordered}
        description={advanced.orderedDescription}
        {...form.getInputProps('ordered', { type: 'checkbox' })}
      />
    </Stack>
  );
}
