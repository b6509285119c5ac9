import { Button, Collapse, Stack, TextInput, Textarea } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { texts } from '../../texts/index.js';
import { SampleReceiverOffer } from '../sample-receiver/sample-receiver-offer.js';
import { AdvancedFields } from './advanced-fields.js';
import { EventChoice } from './event-choice.js';
import type { WebhookForm } from './use-webhook-form.js';
import { ADVANCED_FIELDS } from './webhook-values.js';

interface WebhookFieldsProps {
  form: WebhookForm;
  /** The form of a new webhook starts with the keyboard focus in its first field. */
  isNew?: boolean;
}

const { fields, advanced } = texts.webhookForm;

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
