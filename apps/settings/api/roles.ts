import type { Role } from '#client';

/** Each role may do everything that the roles before it may. */
export const ROLES = ['viewer', 'editor', 'admin', 'owner'] as const satisfies readonly Role[];

export const isRoleAtLeast = (role: Role, required: Role): boolean =>
  ROLES.indexOf(role) >= ROLES.indexOf(required);
