export interface IdentityOptions {
  /** Whose tokens are accepted. At least one of issuer and jwksUri is set. */
  issuer?: string;
  jwksUri?: string;
  audience: string;
  /** The secret (`whsec_…`) of the provider's webhook; without one the webhook is closed. */
  webhookSecret?: string;
}

export const IDENTITY_OPTIONS = Symbol('IDENTITY_OPTIONS');
