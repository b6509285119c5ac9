export {
  authorise,
  authoriseList,
  callerColumns,
  fromCallerIn,
  joinMember,
  type Actor,
  type CallerRow,
} from './access.js';
export { audit, AuditLog, type AuditAction } from './audit.js';
export { ApiKeys, isApiKey, keyRoles, type KeyRole } from './api-keys.js';
export { IdentityHousekeeping } from './housekeeping.js';
export { IdentityModule } from './identity.module.js';
export { IDENTITY_OPTIONS, type IdentityOptions } from './identity.options.js';
export { Members } from './members.js';
export { ProviderMessages } from './provider-messages.js';
export { roles, rolesFrom, type Role } from './roles.js';
export { SigningKeys } from './signing-keys.js';
export { Users } from './users.js';
export { Workspaces } from './workspaces.js';
