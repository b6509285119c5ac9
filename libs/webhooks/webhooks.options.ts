export interface WebhooksOptions {
  /** Private ranges, in CIDR notation, that webhooks may be sent to. */
  allowedRanges: readonly string[];
  /** The proxy through which webhooks are sent. It decides which names can be reached. */
  proxyUrl?: string | undefined;
  /** The ports that a URL may have; empty for all. */
  allowedPorts: readonly number[];
  /** How many endpoints a workspace may have. */
  maxEndpoints: number;
  /** In production only https is accepted. */
  allowHttp: boolean;
}

export const WEBHOOKS_OPTIONS = Symbol('WEBHOOKS_OPTIONS');
