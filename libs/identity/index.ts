export {
  authorise,
  authoriseList,
  callerColumns,
  fromCallerIn,
  joinMember,
  type Actor,
  type CallerRow,
} from './access.js';
export { audit, auditActions, AuditLog, type AuditAction, type AuditEntry } from './audit.js';
export { ApiKeys, isApiKey, keyRoles, type ApiKey, type KeyRole } from './api-keys.js';
export { IdentityHousekeeping } from './housekeeping.js';
export { IdentityModule } from './identity.module.js';
export { IDENTITY_OPTIONS, type IdentityOptions } from './identity.options.js';
export { Members, memberStatuses, type Member, type MemberStatus } from './members.js';
export { ProviderMessages } from './provider-messages.js';
export { rightIn, roles, rolesFrom, type Role } from './roles.js';
export { SigningKeys } from './signing-keys.js';
export { Users, type User } from './users.js';
export { KEEP_WORKSPACE, Workspaces, type Workspace } from './workspaces.js';
