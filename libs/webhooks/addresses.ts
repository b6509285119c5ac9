import ipaddr from 'ipaddr.js';

/**
 * Which addresses webhooks may go to: public ones, and the private ones that the operator allows.
 * Without it a subscriber could have Galley call into the operator's own network.
 */
export class AddressPolicy {
  private readonly allowed: [ipaddr.IPv4 | ipaddr.IPv6, number][];

  /** @throws when a range is not in CIDR notation. */
  constructor(allowedRanges: readonly string[]) {
    this.allowed = allowedRanges.map((range) => ipaddr.parseCIDR(range));
  }

  allows(address: string): boolean {
    if (!ipaddr.isValid(address)) return false;
    // An IPv4 address in IPv6 clothing (::ffff:10.0.0.1) is judged as what it is.
    const parsed = ipaddr.process(address);
    const isPublic = parsed.range() === 'unicast' && isAssigned(parsed);
    if (isPublic && parsed.toString() !== AZURE_HOST) return true;
    return this.allowed.some(
      ([network, bits]) => network.kind() === parsed.kind() && parsed.match(network, bits),
    );
  }
}

// A public address by every registry, but inside Azure it is the machine's own host.
const AZURE_HOST = '168.63.129.16';

// Of IPv6 only 2000::/3 is given out so far (RFC 4291, section 2.4, and IANA's registry); ipaddr.js
// takes the rest for unicast too, with forms such as ::127.0.0.1 in it.
const isAssigned = (address: ipaddr.IPv4 | ipaddr.IPv6): boolean =>
  address.kind() === 'ipv4' || address.match(ipaddr.parseCIDR('2000::/3'));
