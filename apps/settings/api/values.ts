import type { EventKind, Role } from '#client';

/** Roles in ascending order. Each role includes the permissions of the roles before it. */
export const ROLES = ['viewer', 'editor', 'admin', 'owner'] as const satisfies readonly Role[];

export const isRoleAtLeast = (role: Role, required: Role): boolean =>
  ROLES.indexOf(role) >= ROLES.indexOf(required);

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Whether the API would accept the text as an id. */
export const isUuid = (text: string): boolean => UUID.test(text);

/** All event kinds. The code does not compile if an event kind of the API is missing here. */
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
