import { Stack, Text, Title } from '@mantine/core';
import { useRef, type ReactNode, type Ref } from 'react';
import { QueryState, RowsSkeleton } from '../../controls/states.js';
import { PublicationHistory } from './publication-history.js';
import { usePublished, useScheduled } from './publication-queries.js';
import { PublishedList } from './published-list.js';
import { ScheduledTable } from './scheduled-table.js';
import { words } from './texts.js';

/** The published versions of a template, the scheduled publications, and the history. */
export function PublishingView() {
  const published = usePublished();
  const scheduled = useScheduled();
  const scheduledTitle = useRef<HTMLHeadingElement>(null);
  return (
    <Stack gap="xl">
      <Section title={words.title} text={words.text}>
        <QueryState query={published} skeleton={<RowsSkeleton rows={1} height={96} />}>
          {(states) => <PublishedList states={states} />}
        </QueryState>
      </Section>
      <Section title={words.scheduledTitle} titleRef={scheduledTitle}>
        <QueryState query={scheduled} skeleton={<RowsSkeleton rows={1} />}>
          {(rows) => (
            <ScheduledTable
              scheduled={rows}
              // The row and its button disappear, so the focus moves to the title.
              onCancelled={() => scheduledTitle.current?.focus()}
            />
          )}
        </QueryState>
      </Section>
      <Section title={words.historyTitle} text={words.historyText}>
        <PublicationHistory
          environments={(published.data ?? []).map(({ environment }) => environment)}
        />
      </Section>
    </Stack>
  );
}

interface SectionProps {
  title: string;
  titleRef?: Ref<HTMLHeadingElement>;
  text?: string;
  children: ReactNode;
}

const Section = ({ title, titleRef, text, children }: SectionProps) => (
  <section>
    <Title order={2} size="h4" mb="xs" {...(titleRef && { ref: titleRef, tabIndex: -1 })}>
      {title}
    </Title>
    {text !== undefined && (
      <Text size="sm" mb="md" maw={680}>
        {text}
      </Text>
    )}
    {children}
  </section>
);
