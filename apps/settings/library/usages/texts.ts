import type { UsageUpdateStatus } from '#client';

const status: Record<UsageUpdateStatus, string> = {
  running: 'Running',
  done: 'Done',
  cancelled: 'Cancelled',
};

const formatNumber = (count: number) => count.toLocaleString('en');
const countOf = (count: number, noun: string) =>
  `${formatNumber(count)} ${noun}${count === 1 ? '' : 's'}`;

export const words = {
  title: 'Used by',
  text: 'Templates and modules whose latest version refers to this module, or to another module that contains it. Workspaces that you cannot access are not searched.',
  columns: {
    name: 'Name',
    kind: 'Kind',
    version: 'Version',
    module: 'Refers to',
    pinned: 'Reference',
  },
  asList: 'Templates that refer to this module',
  thisModule: 'This module',
  otherModule: 'Another module',
  follows: 'Follows the latest version',
  pinned: (version: number) => `Pins version ${version}`,
  emptyTitle: 'Nothing uses this module',
  emptyText: 'Templates and modules that refer to this module appear here.',

  unused: 'No template or module that you can access uses this module.',
  usedBy: ({ templates, modules }: { templates: number; modules: number }, hasMore: boolean) => {
    const parts = [
      ...(templates > 0 ? [countOf(templates, 'template')] : []),
      ...(modules > 0 ? [countOf(modules, 'module')] : []),
    ];
    const isOne = templates + modules === 1;
    return `${hasMore ? 'At least ' : ''}${parts.join(' and ')} ${isOne ? 'uses' : 'use'} this module`;
  },
  andMore: (count: number) => `and ${formatNumber(count)} more`,

  updateTitle: 'Move pins to another version',
  updateText:
    'Templates that pin a version keep showing that version. An update pins all of them to another version, and saves each changed template as a new version under your name. Templates that follow the latest version do not change, and neither do modules that pin this module.',
  toVersion: 'Pin to',
  count: 'Count templates',
  counted: (count: number, version: number) =>
    count === 0
      ? `No template will change, because no template pins another version than version ${version}.`
      : `${countOf(count, 'template')} will change.`,
  start: (version: number) => `Move pins to version ${version}`,
  started: 'The update has started.',
  oneAtATime:
    'Only one update can run in a workspace at a time. Wait until the running update is done, or cancel it.',
  updates: 'Updates',
  noUpdates: 'No updates yet.',
  updateColumns: {
    toVersion: 'Pin to',
    status: 'Status',
    progress: 'Templates',
    started: 'Started',
    actions: 'Actions',
  },
  status,
  progress: (done: number, total: number) => `${formatNumber(done)} of ${formatNumber(total)}`,
  progressLabel: 'Progress of the update',
  failed: (count: number) => `${countOf(count, 'template')} could not be changed:`,
  cancelLabel: (time: string) => `Cancel the update started on ${time}`,
  cancelTitle: 'Cancel this update?',
  cancelText: 'Templates that the update has already changed keep their new versions.',
  cancelAction: 'Cancel update',
};
