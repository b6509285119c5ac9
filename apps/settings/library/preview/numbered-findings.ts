import type { CheckSeverity, Finding } from '#client';
import type { Mark } from './email-frame.js';
import { classAt, type MarkedDocument } from './marked-document.js';

export interface NumberedFinding extends Finding {
  /** The label in the email; undefined for a finding about the whole document. */
  label: string | undefined;
}

// White text on these colours has a contrast of at least 4.5.
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
    if (className === undefined) return { ...finding, label: undefined };
    const label = String(index + 1);
    const { labels, severity } = byClass.get(className) ?? { labels: [], severity: 'info' };
    const isWorse = ORDER.indexOf(finding.severity) > ORDER.indexOf(severity);
    byClass.set(className, {
      labels: labels.concat(label),
      severity: isWorse ? finding.severity : severity,
    });
    return { ...finding, label };
  });
  const marks = Array.from(byClass, ([className, { labels, severity }]) => ({
    className,
    label: labels.join(', '),
    colour: COLOURS[severity],
  }));
  return { findings: numbered, marks };
}
