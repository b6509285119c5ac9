/*
 * Manages workspaces and users' access to them: members, roles, invitations, API keys, and the audit log. Every
 * statement that loads a resource uses the SQL of this library to load the caller's role too. `libs/identity` manages
 * the users themselves, and how they sign in.
 */
export {
  authorise,
  authoriseList,
  callerColumns,
  fromCallerInWorkspace,
  joinMember,
  type Actor,
  type CallerRow,
} from './access.js';
export { ApiKeys, isApiKey, keyRoles, type ApiKey, type KeyRole } from './api-keys.js';
export {
  audit,
  auditActions,
  AuditLog,
  type AuditAction,
  type AuditEntry,
  type AuditFilter,
  type NewAuditEntry,
} from './audit-log.js';
export { eraseFromAuditLog } from './audit-erasure.js';
export {
  checkLevels,
  CheckSettings,
  type CheckLevel,
  type WorkspaceCheckSettings,
} from './check-settings.js';
export { Environments, PRODUCTION, type Environment } from './environments.js';
export { newIdFor, withPartition, partitionSuffix } from './placed-ids.js';
export { INTERNAL_ISSUER_PREFIX, INVITATION_ISSUER } from './internal-issuers.js';
export { acceptInvitations, hasInvitation, lockEmail, normalizeEmail } from './invitations.js';
export {
  Members,
  memberStatuses,
  removeFromAllWorkspaces,
  type Member,
  type MemberStatus,
} from './members.js';
export { rightIn, roles, rolesAtLeast, type Role } from './roles.js';
export { WorkspaceHousekeeping } from './workspace-housekeeping.js';
export { LOCK_WORKSPACE_FOR_KEY_SHARE, Workspaces, type Workspace } from './workspaces.js';
export { WorkspacesModule } from './workspaces.module.js';
