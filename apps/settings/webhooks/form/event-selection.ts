import type { SubscribableKind } from '#client';

/** The events that a webhook can receive, by resource. */
export const EVENT_GROUPS = {
  template: [
    'template.created',
    'template.updated',
    'template.deleted',
    'template.duplicated',
    'template.restored',
    'template.published',
    'template.unpublished',
  ],
  module: ['module.created', 'module.updated', 'module.deleted', 'module.restored'],
  webhook: ['webhook.failing', 'webhook.disabled', 'webhook.active'],
} as const satisfies Record<string, readonly SubscribableKind[]>;

export type EventGroup = keyof typeof EVENT_GROUPS;

const patternsOver = (event: SubscribableKind): SubscribableKind[] =>
  event === '*' ? [] : ['*', `${event.split('.', 1)[0] as EventGroup}.*`];

/** Whether a selected pattern already matches this event, so that the event need not be selected itself. */
export const isCovered = (selection: readonly SubscribableKind[], event: SubscribableKind) =>
  patternsOver(event).some((pattern) => pattern !== event && selection.includes(pattern));

/** Adds or removes an event or a pattern. A new pattern replaces the events that it matches. */
export function toggleEvent(
  selection: readonly SubscribableKind[],
  event: SubscribableKind,
  isSelected: boolean,
): SubscribableKind[] {
  const others = selection.filter((each) => each !== event);
  if (!isSelected) return others;
  const selected = [...others, event];
  return selected.filter((each) => !isCovered(selected, each));
}

/** The number of event kinds that the selection matches; undefined for `*`, which also matches future kinds. */
export function countEvents(selection: readonly SubscribableKind[]): number | undefined {
  if (selection.includes('*')) return undefined;
  const kinds = Object.values(EVENT_GROUPS).flat();
  return kinds.filter((kind) => selection.includes(kind) || isCovered(selection, kind)).length;
}
