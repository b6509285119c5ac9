import type { Right } from '#database';

/** Each role may do everything that the previous roles may do. */
export const roles = ['viewer', 'editor', 'admin', 'owner'] as const;

export type Role = (typeof roles)[number];

/**
 * The right that a user needs to get a stored response again, with the same idempotency key (`requireForReplay`): the
 * role `required` or a higher role in the workspace.
 */
export const rightIn = (workspaceId: string, required: Role): Right => ({
  workspaceId,
  roles: roles.slice(roles.indexOf(required)),
});

export const isRoleAtLeast = (role: Role | null, required: Role): boolean =>
  role !== null && roles.indexOf(role) >= roles.indexOf(required);

/** The role `required` and all higher roles, as an SQL list. */
export const rolesAtLeast = (required: Role): string =>
  roles
    .slice(roles.indexOf(required))
    .map((role) => `'${role}'`)
    .join(', ');
