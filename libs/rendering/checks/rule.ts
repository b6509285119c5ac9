import type { Place } from '../document/index.js';
import type { Email } from './email/email.js';

/** How much a finding matters, the worst first. */
export const severities = ['error', 'warning', 'info'] as const;
export type Severity = (typeof severities)[number];

/** Something that a rule has found, at a node of the document. */
export interface Found {
  place: Place;
  /** A sentence that says what is wrong. */
  message: string;
}

/** A rule reads an email and changes nothing. It never loads the address of a link or of a picture. */
export interface Rule<Name extends string = string> {
  name: Name;
  severity: Severity;
  /** A sentence that says what to do. */
  help: string;
  find: (email: Email) => Iterable<Found>;
}

/** Keeps the names of the rules in a type. */
export const defineRules = <const Name extends string>(
  rules: readonly Rule<Name>[],
): readonly Rule<Name>[] => rules;
