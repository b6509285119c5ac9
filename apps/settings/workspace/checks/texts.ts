import type { CheckLevel } from '#client';

const levels: Record<CheckLevel, string> = {
  error: 'Error',
  warning: 'Warning',
  info: 'Note',
  off: 'Off',
};

export const words = {
  intro:
    'The check finds mistakes in an email before it is sent. The preview of a template shows the findings. On this page, you choose what counts as an error in this workspace.',
  blocks: 'Block publishing of versions with errors',
  blocksHint: 'Versions with errors can still be saved.',
  blocking: 'A version with errors cannot be published.',
  notBlocking: 'Versions with errors can be published.',
  changedMeanwhileTitle: 'Somebody else changed these settings',
  changedMeanwhile:
    'They were changed after you opened this page, so your choice was not saved. The page now shows the current settings. If you still want to change them, choose again.',
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
