import type { Email } from './email/email.js';
import { nodeIdOf } from '../document/index.js';
import { severities, type Rule, type Severity } from './rule.js';

export interface Finding<Name extends string = string> {
  rule: Name;
  severity: Severity;
  /** The `id` of the node, truncated to 100 characters; null if the node has no `id`. */
  nodeId: string | null;
  /** A JSON Pointer (RFC 6901) to the node. */
  path: string;
  message: string;
  help: string;
}

export interface CheckResult<Name extends string = string> {
  /** The first `MAX_FINDINGS` findings, errors first. */
  findings: Finding<Name>[];
  /** The number of findings of each severity, including findings that are not listed. */
  counts: Record<Severity, number>;
}

/** Severities by rule name, which override the default severities of the rules. `off` turns a rule off. */
export type Levels = Readonly<Record<string, Severity | 'off'>>;

// A document of 10,000 blocks may have 100,000 findings.
const MAX_FINDINGS = 200;

/**
 * Applies the rules to an email. The findings of a rule have the severity from `levels`, or the default severity of the
 * rule.
 */
export function findIn<Name extends string>(
  email: Email,
  rules: readonly Rule<Name>[],
  levels: Levels,
): CheckResult<Name> {
  const counts = { error: 0, warning: 0, info: 0 };
  const bySeverity: Record<Severity, Finding<Name>[]> = { error: [], warning: [], info: [] };
  for (const { name, severity: usualSeverity, help, find } of rules) {
    const severity = (Object.hasOwn(levels, name) ? levels[name] : undefined) ?? usualSeverity;
    if (severity === 'off') continue;
    const findings = bySeverity[severity];
    let previous = '';
    for (const { place, message } of find(email)) {
      // Several links in one text may cause the same finding, which is reported once.
      const key = `${place.path} ${message}`;
      if (key === previous) continue;
      previous = key;
      counts[severity] += 1;
      if (findings.length >= MAX_FINDINGS) continue;
      const { path } = place;
      findings.push({ rule: name, severity, nodeId: nodeIdOf(place.node), path, message, help });
    }
  }
  const findings = severities.flatMap((severity) => bySeverity[severity]).slice(0, MAX_FINDINGS);
  return { findings, counts };
}
