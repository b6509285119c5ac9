import type { Right } from '#database';

/** Each role may do everything that the previous roles may do. */
export const roles = ['viewer', 'editor', 'admin', 'owner'] as const;

export type Role = (typeof roles)[number];

/**
 * The right to get a stored response replayed (`requireForReplay`): the role `required` in the workspace, or a higher
 * one.
 */
export const rightIn = (workspaceId: string, required: Role): Right => ({
  workspaceId,
  roles: roles.slice(roles.indexOf(required)),
});

export const isRoleAtLeast = (role: Role | null, required: Role): boolean =>
  role !== null && roles.indexOf(role) >= roles.indexOf(required);

/** The roles that are at least `required`, as a list for SQL. */
export const rolesAtLeast = (required: Role): string =>
  roles
    .slice(roles.indexOf(required))
    .map((role) => `'${role}'`)
    .join(', ');
