/** The result of a check: one line of the doctor's output. */
export interface Finding {
  level: 'ok' | 'warning' | 'problem' | 'skipped';
  subject: string;
  text: string;
}

/** Creates findings about one subject, such as `database`. */
export const findingsOn = (subject: string) => ({
  ok: (text: string): Finding => ({ level: 'ok', subject, text }),
  warning: (text: string): Finding => ({ level: 'warning', subject, text }),
  problem: (text: string): Finding => ({ level: 'problem', subject, text }),
  skipped: (text: string): Finding => ({ level: 'skipped', subject, text }),
});

/** For example, "1 migration" or "3 migrations". */
export const plural = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? '' : 's'}`;

const LISTED_NAMES = 3;

/** The first few names of a list, followed by the number of names left out. */
export const listFirst = (names: readonly string[]): string =>
  names.slice(0, LISTED_NAMES).join(', ') +
  (names.length > LISTED_NAMES ? ` and ${names.length - LISTED_NAMES} more` : '');
