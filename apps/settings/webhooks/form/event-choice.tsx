import type { SubscribableKind } from '#client';
import { Checkbox, Input, Paper, SimpleGrid, Stack, Text } from '@mantine/core';
import { useId } from 'react';
import { EVENT_GROUPS, isCovered, toggleEvent, type EventGroup } from './event-selection.js';
import { words } from './texts.js';

interface EventChoiceProps {
  value: readonly SubscribableKind[];
  error?: string | undefined;
  onChange: (selection: SubscribableKind[]) => void;
}

// Lets the form's `getInputNode('events')` find the first checkbox, which receives the focus after an error.
const FIRST_INPUT = { 'data-path': 'events' };

const { events: eventTexts } = words;

export function EventChoice({ value, error, onChange }: EventChoiceProps) {
  const errorId = useId();
  const checkbox = (event: SubscribableKind, label: string, description: string) => (
    <Checkbox
      key={event}
      label={label}
      description={description}
      checked={value.includes(event) || isCovered(value, event)}
      disabled={isCovered(value, event)}
      {...(event === '*' && FIRST_INPUT)}
      onChange={({ currentTarget }) => onChange(toggleEvent(value, event, currentTarget.checked))}
    />
  );
  return (
    <Input.Wrapper
      component="fieldset"
      label={eventTexts.label}
      description={eventTexts.description}
      error={error}
      errorProps={{ id: errorId, mt: 'xs' }}
      // The error is above the checkboxes, so that the user sees it together with the focused checkbox.
      inputWrapperOrder={['label', 'description', 'error', 'input']}
      aria-describedby={error === undefined ? undefined : errorId}
      labelElement="div"
      bd="none"
      p={0}
      m={0}
      miw={0}
      aria-label={eventTexts.label}
    >
      <Stack gap="sm" mt="sm">
        {checkbox('*', eventTexts.all, eventTexts.allDescription)}
        {!value.includes('*') && (
          <SimpleGrid cols={{ base: 1, md: 3 }} spacing="sm">
            {(Object.keys(EVENT_GROUPS) as EventGroup[]).map((group) => (
              <Paper
                key={group}
                withBorder
                p="md"
                role="group"
                aria-label={eventTexts.groups[group]}
              >
                <Text fw={600} size="sm" mb="sm">
                  {eventTexts.groups[group]}
                </Text>
                <Stack gap="sm">
                  {checkbox(`${group}.*`, eventTexts.allOf[group], eventTexts.allOfDescription)}
                  {EVENT_GROUPS[group].map((event) =>
                    checkbox(event, event, eventTexts.kinds[event]),
                  )}
                </Stack>
              </Paper>
            ))}
          </SimpleGrid>
        )}
      </Stack>
    </Input.Wrapper>
  );
}
