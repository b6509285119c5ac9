import type { ProviderName } from './providers/provider.js';

export interface IdentityOptions {
  /** The issuer whose tokens are accepted. At least one of `issuer` and `jwksUri` is set. */
  issuer?: string;
  jwksUri?: string;
  audience: string;
  /**
   * The webhook that receives the provider's messages; undefined if Galley receives none. Any of the secrets
   * authenticates a message.
   */
  webhook?: { provider: ProviderName; secrets: string[] };
}

export const IDENTITY_OPTIONS = Symbol('IDENTITY_OPTIONS');
