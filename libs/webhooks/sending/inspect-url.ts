import { isIP } from 'node:net';
import { AddressPolicy } from './address-policy.js';
import { describeError } from './attempt-errors.js';
import { assertUrlAllowed, type UrlPolicy } from './endpoint-url.js';
import { createResolver, resolveHost } from './guarded-connector.js';

/** Tells an operator whether Galley would send webhooks to a URL. */
export interface UrlInspection {
  /** Why the API refuses the URL, or why its host cannot be resolved. */
  problem?: string;
  /**
   * The IP addresses of the host. `refusal` is the reason why an address is refused, and is missing if the address is
   * allowed.
   */
  addresses: { address: string; refusal?: string }[];
}

interface InspectionOptions extends Omit<UrlPolicy, 'addressPolicy'> {
  allowedRanges: readonly string[];
  /** Whether webhooks go through a proxy. If so, the name is not resolved here, because the proxy resolves it. */
  hasProxy: boolean;
}

/** Applies the same rules and uses the same resolver as the API and the worker. Sends nothing to the host. */
export async function inspectUrl(text: string, options: InspectionOptions): Promise<UrlInspection> {
  const addressPolicy = new AddressPolicy(options.allowedRanges);
  const host = URL.parse(text)?.hostname.replace(/^\[|\]$/g, '') ?? '';
  const withRefusal = (address: string) => {
    const refusal = addressPolicy.findRefusal(address);
    return refusal === undefined ? { address } : { address, refusal };
  };
  const ownAddresses = isIP(host) === 0 ? [] : [withRefusal(host)];
  try {
    assertUrlAllowed(text, { ...options, addressPolicy });
  } catch (error) {
    return { problem: (error as Error).message, addresses: ownAddresses };
  }
  if (options.hasProxy || ownAddresses.length > 0) return { addresses: ownAddresses };
  try {
    const resolved = await resolveHost(host, createResolver());
    return { addresses: resolved.map(({ address }) => withRefusal(address)) };
  } catch (error) {
    const reason = describeError(error as Error, 'dns');
    return { problem: `${host} could not be resolved: ${reason}`, addresses: [] };
  }
}
