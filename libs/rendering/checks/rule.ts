import type { Place } from '../document/index.js';
import type { Email } from './email/email.js';

/** The severities of findings, most severe first. */
export const severities = ['error', 'warning', 'info'] as const;
export type Severity = (typeof severities)[number];

/** A problem that a rule has found at a node of the document. */
export interface Found {
  place: Place;
  /** A sentence that says what is wrong. */
  message: string;
}

/** A rule inspects an email without changing it. A rule never loads the URL of a link or image. */
export interface Rule<Name extends string = string> {
  name: Name;
  severity: Severity;
  /** A sentence that says what to do. */
  help: string;
  find: (email: Email) => Iterable<Found>;
}

/** Defines rules and keeps their names as literal types. */
export const defineRules = <const Name extends string>(
  rules: readonly Rule<Name>[],
): readonly Rule<Name>[] => rules;
