import type { ImportReport as Report } from '#client';
import { Group, Text, Title } from '@mantine/core';
import { CodeText } from '../../controls/code.js';
import classes from './import.module.css';
import { words } from './texts.js';

/** The report about the parts of the content. */
export function ImportReport({ report }: { report: Report }) {
  const { understood, entries, omitted } = report;
  return (
    <section>
      <Title order={3} size="h5" mb="xs">
        {words.report}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {words.understood(understood)}
      </Text>
      {entries.length === 0 && <Text size="sm">{words.nothingDifferent}</Text>}
      <ol className={classes['entries']}>
        {entries.map(({ outcome, source, path, message }, index) => (
          <li key={index} className={classes['entry']}>
            <Group gap={6} mb={4}>
              <Text size="xs" fw={600}>
                {words.outcomes[outcome]}
              </Text>
              <Text size="xs" c="dimmed">
                {path ?? source}
              </Text>
            </Group>
            <Text size="sm">
              <CodeText text={message} />
            </Text>
          </li>
        ))}
      </ol>
      {omitted > 0 && <Text size="sm">{words.omitted(omitted)}</Text>}
    </section>
  );
}
