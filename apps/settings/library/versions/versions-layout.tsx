import { DataList, Grid, Group, Text } from '@mantine/core';
import { Outlet } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { CopyButton } from '../../controls/code.js';
import { RelativeTime } from '../../controls/relative-time.js';
import { libraryTexts } from '../texts.js';
import { useDocument } from '../use-document.js';
import { DocumentTags } from './document-tags.js';
import { words } from './texts.js';
import { VersionList } from './version-list.js';

/** The document of one version, with its facts and the list of versions beside it. */
export function VersionsLayout() {
  const { data } = useDocument();
  if (data === undefined) return null;
  const { document } = data;
  return (
    <Grid gap="xl">
      <Grid.Col span={{ base: 12, md: 8 }}>
        <Outlet />
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 4 }}>
        <DocumentFacts document={document}>
          <Fact label={libraryTexts.tags.title}>
            <DocumentTags read={data} />
          </Fact>
          {'category' in document && (
            <>
              <Fact label={words.category}>{document.category || libraryTexts.noCategory}</Fact>
              <Fact label={words.description}>{document.description || words.noDescription}</Fact>
            </>
          )}
        </DocumentFacts>
        <VersionList latestVersion={document.version} />
      </Grid.Col>
    </Grid>
  );
}

interface DocumentFactsProps {
  document: { id: string; createdAt: string; updatedAt: string };
  /** Facts that only this kind of document has. */
  children?: ReactNode;
}

function DocumentFacts({ document, children }: DocumentFactsProps) {
  return (
    <DataList orientation="vertical" mb="lg">
      {children}
      <Fact label={words.id}>
        <Group gap="xs">
          <Text ff="monospace" size="xs">
            {document.id}
          </Text>
          <CopyButton value={document.id} label={words.copyId} />
        </Group>
      </Fact>
      <Fact label={words.updated}>
        <RelativeTime time={document.updatedAt} />
      </Fact>
      <Fact label={words.created}>
        <RelativeTime time={document.createdAt} />
      </Fact>
    </DataList>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <DataList.Item>
      <DataList.ItemLabel c="var(--mantine-color-text)" fw={600}>
        {label}
      </DataList.ItemLabel>
      <DataList.ItemValue>{children}</DataList.ItemValue>
    </DataList.Item>
  );
}
