import type { CheckSeverity } from '#client';
import { Badge, Group, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { CodeText } from '../../controls/code.js';
import { preview as words } from '../../texts/library/preview.js';
import type { NumberedFinding } from './numbered-findings.js';
import classes from './preview.module.css';

interface FindingListProps {
  findings: readonly NumberedFinding[];
  counts: Record<CheckSeverity, number>;
  children: ReactNode;
}

/** The findings of the check, the worst first. Numbers stand beside the nodes in the email. */
export function FindingList({ findings, counts, children }: FindingListProps) {
  return (
    <section>
      <Title order={2} size="h4" mb="xs">
        {words.findings}
      </Title>
      <Text size="sm" mb="sm">
        {words.counts(counts)}
      </Text>
      {children}
      <ol className={classes['findings']}>
        {findings.map((finding) => (
          <li key={finding.rule + finding.path + finding.message} className={classes['finding']}>
            <Group gap={6} mb={4}>
              {finding.label !== undefined && (
                <Badge size="sm" variant="default" className={classes[finding.severity]}>
                  {finding.label}
                </Badge>
              )}
              <Text size="xs" fw={600} className={classes[finding.severity]}>
                {words.severities[finding.severity]}
              </Text>
              <Text size="xs" c="dimmed">
                {words.place(finding.path, finding.nodeId)}
              </Text>
            </Group>
            <Text size="sm">
              <CodeText text={finding.message} />
            </Text>
            <Text size="sm" c="dimmed">
              <CodeText text={finding.help} />
            </Text>
          </li>
        ))}
      </ol>
    </section>
  );
}
