import type { CheckLevel } from '#client';

const levels: Record<CheckLevel, string> = {
  error: 'Error',
  warning: 'Warning',
  info: 'Note',
  off: 'Off',
};

export const words = {
  intro:
    'The check finds mistakes in an email before it is sent. The preview of a template shows what it has found. Here you choose what counts as an error in this workspace.',
  blocks: 'Publish no version with errors',
  blocksHint: 'Saving is always possible.',
  blocking: 'A version with errors cannot be published.',
  notBlocking: 'Versions with errors can be published.',
  changedMeanwhileTitle: 'Somebody else changed these settings',
  changedMeanwhile:
    'They were changed after you opened this page, so your choice was not saved. You now see the current settings: choose again if you still want to.',
  listLabel: 'Rules of the check',
  columns: { rule: 'Rule', level: 'Counts as' },
  levels,
  usual: (level: string) => `${level} (default)`,
  levelOf: (rule: string) => `What “${rule}” counts as`,
  /** The name of a rule in words: `link-empty` is `Link empty`. */
  ruleName: (name: string) =>
    `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll('-', ' ')}`.replace(
      /^(?:Html|Id)\b/,
      (word) => word.toUpperCase(),
    ),
};
