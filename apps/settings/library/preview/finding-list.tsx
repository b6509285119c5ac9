import type { CheckSeverity, Finding } from '#client';
import { Badge, Group, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { CodeText } from '../../controls/code.js';
import type { Mark } from './email-frame.js';
import { classAt, type MarkedDocument } from './marked-document.js';
import classes from './preview.module.css';
import { words } from './texts.js';

interface FindingListProps {
  findings: readonly NumberedFinding[];
  counts: Record<CheckSeverity, number>;
  /** Called with the finding that the user points at or moves the focus to, and with undefined afterwards. */
  onPoint: (finding: NumberedFinding | undefined) => void;
  /** Called with the finding whose node the user wants to see. */
  onShow: (finding: NumberedFinding) => void;
  children: ReactNode;
}

/** The findings of the check, most severe first. Their numbers also appear next to the nodes in the email. */
export function FindingList(props: FindingListProps) {
  const { findings, counts, onPoint, onShow, children } = props;
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
          <li
            key={finding.rule + finding.path + finding.message}
            className={classes['finding']}
            onMouseEnter={() => onPoint(finding)}
            onMouseLeave={() => onPoint(undefined)}
          >
            <Group gap={6} mb={4}>
              {finding.label !== undefined && (
                <Badge
                  component="button"
                  size="sm"
                  variant="default"
                  className={classes[finding.severity]}
                  style={{ cursor: 'pointer' }}
                  aria-label={words.showFinding(finding.label)}
                  onFocus={() => onPoint(finding)}
                  onBlur={() => onPoint(undefined)}
                  onClick={() => onShow(finding)}
                >
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

export interface NumberedFinding extends Finding {
  /** The label in the email; undefined for a finding about the whole document. */
  label: string | undefined;
  /** The class of the node in the email. */
  className: string | undefined;
}

// White text on these colours has a contrast of at least 4.5:1.
const COLOURS: Record<CheckSeverity, string> = {
  error: '#c92a2a',
  warning: '#a35200',
  info: '#1864ab',
};
const ORDER: readonly CheckSeverity[] = ['info', 'warning', 'error'];

/** Numbers the findings, and marks each node with the numbers of its findings. */
export function numberFindings(
  findings: readonly Finding[],
  marked: MarkedDocument,
): { findings: NumberedFinding[]; marks: Mark[] } {
  const byClass = new Map<string, { labels: string[]; severity: CheckSeverity }>();
  const numbered = findings.map((finding, index) => {
    const className = classAt(marked, finding.path);
    if (className === undefined) return { ...finding, className, label: undefined };
    const label = String(index + 1);
    const { labels, severity } = byClass.get(className) ?? { labels: [], severity: 'info' };
    const isWorse = ORDER.indexOf(finding.severity) > ORDER.indexOf(severity);
    byClass.set(className, {
      labels: labels.concat(label),
      severity: isWorse ? finding.severity : severity,
    });
    return { ...finding, className, label };
  });
  const marks = Array.from(byClass, ([className, { labels, severity }]) => ({
    className,
    label: labels.join(', '),
    colour: COLOURS[severity],
  }));
  return { findings: numbered, marks };
}
