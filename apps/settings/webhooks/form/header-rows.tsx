import { ActionIcon, Button, Group, Input, Stack, TextInput } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { words } from './texts.js';
import type { HeaderRow } from './webhook-values.js';

interface HeaderRowsProps {
  value: readonly HeaderRow[];
  error?: string | undefined;
  onChange: (rows: HeaderRow[]) => void;
}

const { headers: headerTexts } = words;

export function HeaderRows({ value, error, onChange }: HeaderRowsProps) {
  const change = (index: number, changes: Partial<HeaderRow>) =>
    onChange(value.map((row, each) => (each === index ? { ...row, ...changes } : row)));
  return (
    <Input.Wrapper
      label={headerTexts.label}
      labelElement="div"
      description={headerTexts.description}
      error={error}
    >
      <Stack gap="xs" mt="xs" mb={error === undefined ? 0 : 'xs'} align="stretch">
        {value.map(({ name, value: headerValue }, index) => (
          <Group key={index} gap="xs" wrap="nowrap">
            <TextInput
              flex={2}
              miw={0}
              value={name}
              placeholder={headerTexts.name}
              aria-label={headerTexts.nameOf(index + 1)}
              onChange={({ currentTarget }) => change(index, { name: currentTarget.value })}
            />
            <TextInput
              flex={3}
              miw={0}
              value={headerValue}
              placeholder={headerTexts.value}
              aria-label={headerTexts.valueOf(index + 1)}
              onChange={({ currentTarget }) => change(index, { value: currentTarget.value })}
              autoComplete="off"
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              aria-label={headerTexts.remove(index + 1)}
              onClick={() => onChange(value.filter((_, each) => each !== index))}
            >
              <IconX size={16} />
            </ActionIcon>
          </Group>
        ))}
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} />}
          onClick={() => onChange([...value, { name: '', value: '' }])}
          w="fit-content"
        >
          {headerTexts.add}
        </Button>
      </Stack>
    </Input.Wrapper>
  );
}
