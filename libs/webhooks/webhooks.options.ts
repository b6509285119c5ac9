export interface WebhooksOptions {
  /** Private ranges, in CIDR notation, that the operator lets webhooks go to. */
  allowedRanges: readonly string[];
  /** Through which webhooks leave; it then decides what may be reached by name. */
  proxyUrl?: string | undefined;
  /** The ports that a URL may have; any when empty. */
  allowedPorts: readonly number[];
  /** How many endpoints a workspace may have. */
  maxEndpoints: number;
  /** Outside development only https is accepted. */
  allowHttp: boolean;
}

export const WEBHOOKS_OPTIONS = Symbol('WEBHOOKS_OPTIONS');
