import { Button, Group, Text, Title } from '@mantine/core';
import { useMemo, useState } from 'react';
import { CopyButton } from '../../controls/code.js';
import { formatSize } from '../../controls/format.js';
import { JsonTree, type Marks } from './json-tree.js';
import { words } from './texts.js';

interface DocumentViewProps {
  title: string;
  content: unknown;
  titleOrder?: 2 | 3;
  marks?: Marks;
}

/** A document as a JSON tree, with its size. */
export function DocumentView({ title, content, titleOrder = 2, marks }: DocumentViewProps) {
  // The size of the JSON as Galley stores it, without line breaks and indentation.
  const size = useMemo(() => formatSize(JSON.stringify(content)), [content]);
  const formatted = useMemo(() => JSON.stringify(content, null, 2), [content]);
  const [isAllExpanded, setIsAllExpanded] = useState(false);
  return (
    <section>
      <Group justify="space-between" mb="xs" gap="xs">
        <Group gap="sm" align="baseline">
          <Title order={titleOrder} size={titleOrder === 2 ? 'h4' : 'h5'}>
            {title}
          </Title>
          <Text size="sm">{words.size(size)}</Text>
        </Group>
        <Group gap="xs">
          <Button size="xs" variant="default" onClick={() => setIsAllExpanded(!isAllExpanded)}>
            {isAllExpanded ? words.collapseAll : words.expandAll}
          </Button>
          <CopyButton value={formatted} label={words.copyJson} />
        </Group>
      </Group>
      <JsonTree
        key={String(isAllExpanded)}
        content={content}
        isAllExpanded={isAllExpanded}
        marks={marks}
      />
    </section>
  );
}
