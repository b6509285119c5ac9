export interface WebhooksOptions {
  /** Private address ranges, in CIDR notation, that webhooks may be sent to. */
  allowedRanges: readonly string[];
  /** The proxy through which webhooks are sent. It decides which hosts can be reached. */
  proxyUrl?: string | undefined;
  /** The ports that a URL may have; empty if every port is allowed. */
  allowedPorts: readonly number[];
  /** Maximum number of endpoints per workspace. */
  maxEndpoints: number;
  /** Whether a URL may begin with http://. In production, only https:// is accepted. */
  allowHttp: boolean;
}

export const WEBHOOKS_OPTIONS = Symbol('WEBHOOKS_OPTIONS');
