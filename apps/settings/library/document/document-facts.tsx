import { DataList, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { CopyButton } from '../../controls/code.js';
import { RelativeTime } from '../../controls/relative-time.js';
import { texts } from '../../texts/index.js';

interface DocumentFactsProps {
  document: { id: string; createdAt: string; updatedAt: string };
  /** Facts that only this kind of document has. */
  children?: ReactNode;
}

export function DocumentFacts({ document, children }: DocumentFactsProps) {
  const { library } = texts;
  return (
    <DataList orientation="vertical" mb="lg">
      {children}
      <Fact label={library.id}>
        <Group gap="xs">
          <Text ff="monospace" size="xs">
            {document.id}
          </Text>
          <CopyButton value={document.id} label={library.copyId} />
        </Group>
      </Fact>
      <Fact label={library.updated}>
        <RelativeTime time={document.updatedAt} />
      </Fact>
      <Fact label={library.created}>
        <RelativeTime time={document.createdAt} />
      </Fact>
    </DataList>
  );
}

export function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <DataList.Item>
      <DataList.ItemLabel c="var(--mantine-color-text)" fw={600}>
        {label}
      </DataList.ItemLabel>
      <DataList.ItemValue>{children}</DataList.ItemValue>
    </DataList.Item>
  );
}
