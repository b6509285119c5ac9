import ipaddr from 'ipaddr.js';

/**
 * Decides which IP addresses webhooks may be sent to: public addresses, and private ranges that the operator allows.
 * This prevents server-side request forgery: a subscriber cannot make Galley send requests into the operator's own
 * network.
 */
export class AddressPolicy {
  private readonly allowedNetworks: [ipaddr.IPv4 | ipaddr.IPv6, number][];

  /** @throws if a range is not in CIDR notation. */
  constructor(allowedRanges: readonly string[]) {
    this.allowedNetworks = allowedRanges.map((range) => ipaddr.parseCIDR(range));
  }

  allows(ipAddress: string): boolean {
    return this.findRefusal(ipAddress) === undefined;
  }

  /** Returns the reason why an address is refused; undefined if webhooks may be sent to it. */
  findRefusal(ipAddress: string): string | undefined {
    if (!ipaddr.isValid(ipAddress)) return 'not an IP address';
    // An IPv4-mapped IPv6 address (::ffff:10.0.0.1) is checked as the IPv4 address that it contains.
    const parsed = ipaddr.process(ipAddress);
    const isAllowed = this.allowedNetworks.some(
      ([network, prefixLength]) =>
        network.kind() === parsed.kind() && parsed.match(network, prefixLength),
    );
    if (isAllowed) return undefined;
    if (parsed.toString() === AZURE_HOST_ADDRESS) {
      return 'an address that Azure reserves for its hosts';
    }
    if (parsed.range() !== 'unicast') return `not public (${parsed.range()})`;
    return isAssigned(parsed) ? undefined : 'not an assigned IPv6 address';
  }
}

// Registries list this address as public, but on an Azure virtual machine it belongs to the host of that machine.
const AZURE_HOST_ADDRESS = '168.63.129.16';

// IANA has so far assigned global unicast addresses only from 2000::/3 (RFC 4291, section 2.4, and IANA's registry).
// ipaddr.js also reports other addresses as unicast, including forms such as ::127.0.0.1.
const isAssigned = (ipAddress: ipaddr.IPv4 | ipaddr.IPv6): boolean =>
  ipAddress.kind() === 'ipv4' || ipAddress.match(ipaddr.parseCIDR('2000::/3'));
