/*
 * Users and the identity provider: the provider's signing keys, and the messages in which the provider reports changes.
 * `apps/api` verifies tokens; `libs/workspaces` decides what a user may do in a workspace.
 */
export { findUsers, type FoundUser } from './find-users.js';
export { IdentityHousekeeping } from './identity-housekeeping.js';
export { IdentityModule } from './identity.module.js';
export { IDENTITY_OPTIONS, type IdentityOptions } from './identity.options.js';
export { countSigningKeys, JwksCache } from './jwks-cache.js';
export { ProviderMessages } from './provider-messages.js';
export { UserErasure } from './user-erasure.js';
export { Users, type TokenSubject, type User } from './users.js';
