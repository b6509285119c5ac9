import { Paper, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface SectionProps {
  title: string;
  text?: string;
  children: ReactNode;
}

export function Section({ title, text, children }: SectionProps) {
  return (
    <Paper component="section" withBorder p="lg" aria-label={title}>
      <Title order={2} size="h5">
        {title}
      </Title>
      {text !== undefined && (
        <Text size="sm" mt={4}>
          {text}
        </Text>
      )}
      <div style={{ marginTop: 'var(--mantine-spacing-md)' }}>{children}</div>
    </Paper>
  );
}
