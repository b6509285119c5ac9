import type { SubscribableKind } from '#client';
import { Checkbox, Input, Paper, SimpleGrid, Stack, Text } from '@mantine/core';
import { texts } from '../../texts/index.js';
import { EVENT_GROUPS, isCovered, toggleEvent, type EventGroup } from './event-selection.js';

interface EventChoiceProps {
  value: readonly SubscribableKind[];
  error?: string | undefined;
  onChange: (selection: SubscribableKind[]) => void;
}

const { events: eventTexts } = texts.webhookForm;

export function EventChoice({ value, error, onChange }: EventChoiceProps) {
  const checkbox = (event: SubscribableKind, label: string, description: string) => (
    <Checkbox
      key={event}
      label={label}
      description={description}
      checked={value.includes(event) || isCovered(value, event)}
      disabled={isCovered(value, event)}
      onChange={({ currentTarget }) => onChange(toggleEvent(value, event, currentTarget.checked))}
    />
  );
  return (
    <Input.Wrapper
      component="fieldset"
      label={eventTexts.label}
      description={eventTexts.description}
      error={error}
      labelElement="div"
      bd="none"
      p={0}
      m={0}
      miw={0}
      aria-label={eventTexts.label}
    >
      <Stack gap="sm" mt="sm" mb={error === undefined ? 0 : 'xs'}>
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
