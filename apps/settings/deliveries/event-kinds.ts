import type { EventKind } from '#client';

/** All kinds of events. The code does not compile if this object lacks a kind that the API has. */
const known: Record<EventKind, true> = {
  'template.created': true,
  'template.updated': true,
  'template.duplicated': true,
  'template.deleted': true,
  'template.restored': true,
  'template.published': true,
  'template.unpublished': true,
  'module.created': true,
  'module.updated': true,
  'module.deleted': true,
  'module.restored': true,
  'webhook.failing': true,
  'webhook.disabled': true,
  'webhook.active': true,
  'webhook.test': true,
};

export const eventKinds = Object.keys(known) as readonly EventKind[];
