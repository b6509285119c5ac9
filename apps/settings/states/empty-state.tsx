import { Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

/** A view or a list that has nothing to show, with the next step as `children`. */
export function EmptyState(props: { title: string; text?: string; children?: ReactNode }) {
  const { title, text, children } = props;
  return (
    <Stack align="center" gap="xs" py={48} px="md" ta="center">
      <Title order={2} size="h4">
        {title}
      </Title>
      {text !== undefined && (
        <Text c="dimmed" maw={480}>
          {text}
        </Text>
      )}
      {children}
    </Stack>
  );
}
