export interface WebhooksOptions {
  /** 32 bytes that encrypt the endpoints' secrets at rest. */
  secretsKey: Buffer;
  /** Private ranges, in CIDR notation, that the operator lets webhooks go to. */
  allowedRanges: readonly string[];
  /** Outside development only https is accepted. */
  allowHttp: boolean;
}

export const WEBHOOKS_OPTIONS = Symbol('WEBHOOKS_OPTIONS');
