import {
  Anchor,
  Button,
  Collapse,
  NumberInput,
  Stack,
  Switch,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { useSampleReceiver } from '../../session/session.js';
import { SampleReceiverLink } from '../parts.js';
import { webhookTexts } from '../texts.js';
import { EventChoice } from './event-choice.js';
import { HeaderRows } from './header-rows.js';
import { words } from './texts.js';
import type { WebhookForm } from './use-webhook-form.js';
import { ADVANCED_FIELDS } from './webhook-values.js';

interface WebhookFieldsProps {
  form: WebhookForm;
  /** Whether the webhook is new. If so, the first field gets the focus, and the form offers the sample receiver. */
  isNew?: boolean;
}

const { fields, advanced } = words;

export function WebhookFields({ form, isNew = false }: WebhookFieldsProps) {
  const [isOpen, setIsOpen] = useState(false);
  const advancedId = useId();
  const hasProblem = ADVANCED_FIELDS.some((field) => field in form.errors);
  if (hasProblem && !isOpen) setIsOpen(true);
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <Stack gap="lg">
      <div>
        <TextInput
          label={fields.url}
          description={fields.urlDescription}
          placeholder="https://example.com/webhooks"
          type="url"
          inputMode="url"
          autoComplete="off"
          withAsterisk
          autoFocus={isNew}
          {...form.getInputProps('url')}
        />
        {isNew && <SampleReceiverOffer form={form} />}
      </div>
      <EventChoice
        value={form.values.events}
        error={form.errors['events'] as string | undefined}
        onChange={(events) => form.setFieldValue('events', events)}
      />
      <Textarea
        label={fields.description}
        description={fields.descriptionDescription}
        autosize
        maxRows={6}
        {...form.getInputProps('description')}
      />
      <div>
        <Button
          variant="subtle"
          size="compact-sm"
          ml={-8}
          leftSection={<Chevron size={16} />}
          aria-expanded={isOpen}
          aria-controls={advancedId}
          onClick={() => setIsOpen(!isOpen)}
        >
          {advanced.title}
        </Button>
        <Collapse id={advancedId} expanded={isOpen} pt="md">
          <AdvancedFields form={form} />
        </Collapse>
      </div>
    </Stack>
  );
}

function AdvancedFields({ form }: { form: WebhookForm }) {
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

/** Offers the URL of the sample receiver to users who do not have a receiver yet. */
function SampleReceiverOffer({ form }: { form: WebhookForm }) {
  const url = useSampleReceiver();
  if (url === undefined) return null;
  const choose = () => {
    form.setFieldValue('url', url);
    // The button disappears, so the focus moves to the URL field.
    form.getInputNode('url')?.focus();
  };
  return (
    <Text size="sm" mt={6}>
      {form.values.url === url ? (
        <>
          {webhookTexts.sampleReceiver.chosen} <SampleReceiverLink url={url} />
        </>
      ) : (
        <>
          {webhookTexts.sampleReceiver.offer}{' '}
          <Anchor component="button" type="button" inherit underline="always" onClick={choose}>
            {webhookTexts.sampleReceiver.use}
          </Anchor>
        </>
      )}
    </Text>
  );
}
