export {
  authorise,
  authoriseList,
  callerColumns,
  joinMember,
  type Actor,
  type CallerRow,
} from './access.js';
export { IdentityModule } from './identity.module.js';
export { IDENTITY_OPTIONS, type IdentityOptions } from './identity.options.js';
export { Members, type Member } from './members.js';
export { ProviderMessages, type SignatureHeaders } from './provider-messages.js';
export { roles, rolesFrom, type Role } from './roles.js';
export { SigningKeys } from './signing-keys.js';
export { Users, type Profile, type Subject, type User } from './users.js';
export { Workspaces, type Workspace } from './workspaces.js';
