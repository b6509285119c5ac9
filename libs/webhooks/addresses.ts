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
    if (parsed.range() === 'unicast') return true;
    return this.allowed.some(
      ([network, bits]) => network.kind() === parsed.kind() && parsed.match(network, bits),
    );
  }
}
