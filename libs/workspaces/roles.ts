import type { Right } from '#database';

/** Each may do all that the ones before it may. */
export const roles = ['viewer', 'editor', 'admin', 'owner'] as const;

export type Role = (typeof roles)[number];

/** What only members with the role `required`, or one above it, may do. */
export const rightIn = (workspaceId: string, required: Role): Right => ({
  workspaceId,
  roles: roles.slice(roles.indexOf(required)),
});

export const isRoleAtLeast = (role: Role | null, required: Role): boolean =>
  role !== null && roles.indexOf(role) >= roles.indexOf(required);

/** The roles that may act as `required`, as a list for SQL. */
export const rolesAtLeast = (required: Role): string =>
  roles
    .slice(roles.indexOf(required))
    .map((role) => `'${role}'`)
    .join(', ');
