import { Box, Paper, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface SectionProps {
  title: string;
  text?: string;
  /** Buttons at the end of the section. */
  action?: ReactNode;
  children?: ReactNode;
}

export function Section({ title, text, action, children }: SectionProps) {
  return (
    <Paper withBorder p="lg" component="section">
      <Title order={2} size="h4">
        {title}
      </Title>
      {text !== undefined && (
        <Text size="sm" mt={4}>
          {text}
        </Text>
      )}
      {children && <Box mt="md">{children}</Box>}
      {action && <Box mt="md">{action}</Box>}
    </Paper>
  );
}
