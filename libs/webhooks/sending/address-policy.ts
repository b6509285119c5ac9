import ipaddr from 'ipaddr.js';

/**
 * The IP addresses that webhooks may be sent to: public ones, and private ones that the operator allows.
 * Without this policy a subscriber could make Galley call into the operator's own network.
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

  /** Returns which rule refuses an address; undefined if webhooks may be sent to it. */
  findRefusal(ipAddress: string): string | undefined {
    if (!ipaddr.isValid(ipAddress)) return 'not an IP address';
    // An IPv4-mapped IPv6 address (::ffff:10.0.0.1) is checked as the IPv4 address that it contains.
    const parsed = ipaddr.process(ipAddress);
    const isAllowed = this.allowedNetworks.some(
      ([network, prefixLength]) =>
        network.kind() === parsed.kind() && parsed.match(network, prefixLength),
    );
    if (isAllowed) return undefined;
    if (parsed.toString() === AZURE_HOST_ADDRESS) return "Azure's address of its own hosts";
    if (parsed.range() !== 'unicast') return `not public (${parsed.range()})`;
    return isAssigned(parsed) ? undefined : 'not an assigned IPv6 address';
  }
}

// Every registry lists this address as public, but inside Azure it is the machine's own host.
const AZURE_HOST_ADDRESS = '168.63.129.16';

// Only the IPv6 addresses in 2000::/3 are assigned so far (RFC 4291, section 2.4, and IANA's registry).
// ipaddr.js counts the other addresses as unicast, too, among them forms such as ::127.0.0.1.
const isAssigned = (ipAddress: ipaddr.IPv4 | ipaddr.IPv6): boolean =>
  ipAddress.kind() === 'ipv4' || ipAddress.match(ipaddr.parseCIDR('2000::/3'));
