import type { Member, Role } from '#client';
import { isRoleAtLeast, ROLES } from '../api/values.js';

type OwnerState = Pick<Member, 'role' | 'status'>;

/**
 * Only owners may appoint and demote owners. If the identity provider has blocked all owners, admins may do so too, so
 * that the workspace can get an owner again.
 */
const mayChangeOwners = (role: Role, members: readonly OwnerState[]): boolean =>
  role === 'owner' ||
  (isRoleAtLeast(role, 'admin') &&
    !members.some((member) => member.role === 'owner' && member.status === 'active'));

/** The roles that a user with `role` may assign, lowest first. */
export function rolesToGive(role: Role, members: readonly OwnerState[]): readonly Role[] {
  if (!isRoleAtLeast(role, 'admin')) return [];
  return mayChangeOwners(role, members) ? ROLES : ROLES.filter((each) => each !== 'owner');
}

/** Whether a user with `role` may change the role of a member, or remove the member. */
export const mayManage = (
  role: Role,
  members: readonly OwnerState[],
  member: OwnerState,
): boolean =>
  isRoleAtLeast(role, 'admin') && (member.role !== 'owner' || mayChangeOwners(role, members));

/** The name of a member. Falls back to the email address, and then to the id. */
export function nameOfMember(
  member: Pick<Member, 'userId' | 'firstName' | 'lastName' | 'email'>,
): string {
  const name = `${member.firstName} ${member.lastName}`.trim();
  return name || member.email || member.userId;
}
