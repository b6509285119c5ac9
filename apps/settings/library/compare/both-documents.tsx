import type { ChangeType, NodeChange } from '#client';
import { SimpleGrid, Title } from '@mantine/core';
import { useMemo } from 'react';
import { DocumentView } from '../document/document-view.js';
import type { Marks } from '../document/json-tree.js';
import type { Version } from '../kinds.js';
import { ChangeLabel } from './change-parts.js';
import { rowPathOf } from './pointers.js';
import { words } from './texts.js';

interface BothDocumentsProps {
  from: Version;
  to: Version;
  changes: readonly NodeChange[];
}

/** Shows both documents in full, and labels the changed nodes. */
export function BothDocuments({ from, to, changes }: BothDocumentsProps) {
  return (
    <section>
      <Title order={2} size="h4" mb="md">
        {words.bothDocuments}
      </Title>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <MarkedDocument document={from} changes={changes} side="fromPath" />
        <MarkedDocument document={to} changes={changes} side="path" />
      </SimpleGrid>
    </section>
  );
}

interface MarkedDocumentProps {
  document: Version;
  changes: readonly NodeChange[];
  side: 'path' | 'fromPath';
}

function MarkedDocument({ document: { version, content }, changes, side }: MarkedDocumentProps) {
  const marks = useMemo(() => createMarks(content, changes, side), [content, changes, side]);
  return (
    <DocumentView title={words.version(version)} titleOrder={3} content={content} marks={marks} />
  );
}

function createMarks(content: unknown, changes: readonly NodeChange[], side: 'path' | 'fromPath') {
  const types = new Map<string, ChangeType[]>();
  for (const { type, [side]: pointer } of changes) {
    const path = pointer === null ? undefined : rowPathOf(content, pointer);
    // A node that was both moved and changed gets two labels.
    if (path !== undefined) types.set(path, [...(types.get(path) ?? []), type]);
  }
  const marks: Marks = new Map(
    [...types].map(([path, each]) => [
      path,
      each.map((type) => (
        <ChangeLabel key={type} type={type}>
          {words.types[type]}
        </ChangeLabel>
      )),
    ]),
  );
  return marks;
}
