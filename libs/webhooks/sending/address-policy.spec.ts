import { describe, expect, it } from '@jest/globals';
import { AddressPolicy } from './address-policy.js';

const strict = new AddressPolicy([]);

describe('the address policy', () => {
  it.each(['93.184.215.14', '8.8.8.8', '2606:4700:4700::1111'])(
    'allows the public address %s',
    (ipAddress) => {
      expect(strict.allows(ipAddress)).toBe(true);
    },
  );

  it.each([
    '127.0.0.1',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '168.63.129.16',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '::1',
    '::',
    'fe80::1',
    'fc00::1',
    'ff02::1',
    '::ffff:127.0.0.1',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '4000::1',
    '::ffff:169.254.169.254',
    'not an address',
  ])('refuses %s', (ipAddress) => {
    expect(strict.allows(ipAddress)).toBe(false);
  });

  it.each([
    ['8.8.8.8', undefined],
    ['localhost', 'not an IP address'],
    ['::ffff:10.0.0.1', 'not public (private)'],
    ['168.63.129.16', 'an address that Azure reserves for its hosts'],
    ['4000::1', 'not an assigned IPv6 address'],
  ])('gives the reason for refusing %s: %s', (ipAddress, refusal) => {
    expect(strict.findRefusal(ipAddress)).toBe(refusal);
  });

  it('allows only the private ranges that the operator has listed', () => {
    const policy = new AddressPolicy(['10.1.0.0/16', 'fd00::/8']);
    expect(policy.allows('10.1.200.3')).toBe(true);
    expect(policy.allows('::ffff:10.1.200.3')).toBe(true);
    expect(policy.allows('fd12::1')).toBe(true);
    expect(policy.allows('10.2.0.1')).toBe(false);
    expect(policy.allows('fc00::1')).toBe(false);
  });

  it('refuses an invalid range', () => {
    expect(() => new AddressPolicy(['10.1.0.0'])).toThrow();
  });
});
