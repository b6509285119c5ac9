import { describe, expect, it } from '@jest/globals';
import { AddressPolicy } from './address-policy.js';
import { assertUrlAllowed, isSameOrigin, type UrlPolicy } from './endpoint-url.js';

const productionPolicy: UrlPolicy = {
  addressPolicy: new AddressPolicy([]),
  allowHttp: false,
  allowedPorts: [],
};

const problemOf = (url: string, policy = productionPolicy): string => {
  try {
    assertUrlAllowed(url, policy);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
};

describe('the URL of an endpoint', () => {
  it.each([
    'https://example.com',
    'https://example.com/webhooks?tenant=1',
    'HTTPS://Example.COM:8443/Hooks',
    'https://93.184.215.14/',
    'https://[2606:4700:4700::1111]/',
    'https://xn--bcher-kva.example/',
    'https://example.com./',
    'https://localhost.example.com/',
    'https://mylocalhost/',
  ])('may be %s', (url) => {
    expect(problemOf(url)).toBe('');
  });

  it.each([
    ['', 'a complete URL'],
    ['example.com', 'a complete URL'],
    ['//example.com', 'a complete URL'],
    ['https:example.com', 'a complete URL'],
    ['https:/example.com', 'a complete URL'],
    ['https:\\\\example.com', 'a complete URL'],
    ['https://', 'a complete URL'],
    ['https://exa mple.com', 'a complete URL'],
    [' https://example.com', 'a complete URL'],
    ['https://example.com/a b', 'a complete URL'],
    ['https://example.com:99999', 'a complete URL'],
    ['ftp://example.com', 'a complete URL'],
    ['file:///etc/passwd', 'a complete URL'],
    ['gopher://example.com', 'a complete URL'],
    ['javascript:alert(1)', 'a complete URL'],
    ['http://example.com', 'https://'],
    ['https://user@example.com', 'user name or password'],
    ['https://user:password@example.com', 'user name or password'],
    ['https://example.com\\@10.0.0.1/', 'user name or password'],
    ['https://example.com/#top', 'fragment'],
    ['https://exаmple.com', 'in ASCII: xn--exmple-4nf.com'],
    ['https://ⅇxample.com', 'in ASCII: example.com'],
    ['https://example。com', 'in ASCII: example.com'],
    ['https://2130706433/', 'in its standard form: 127.0.0.1'],
    ['https://0177.0.0.1/', 'in its standard form: 127.0.0.1'],
    ['https://0x7f.1/', 'in its standard form: 127.0.0.1'],
    ['https://134744072/', 'in its standard form: 8.8.8.8'],
    ['https://%31%32%37.0.0.1/', 'in its standard form: 127.0.0.1'],
    ['https://127.0.0.1/', 'private address'],
    ['https://10.0.0.1/', 'private address'],
    ['https://169.254.169.254/latest/meta-data', 'private address'],
    ['https://[::1]/', 'private address'],
    ['https://[::ffff:127.0.0.1]/', 'private address'],
    ['https://[64:ff9b::7f00:1]/', 'private address'],
    ['https://[2002:7f00:1::]/', 'private address'],
    ['https://localhost/', 'private address'],
    ['https://api.localhost./', 'private address'],
    ['https://localhost../', 'must not have empty labels'],
    ['https://127.0.0.1../', 'must not have empty labels'],
    ['https://example..com/', 'must not have empty labels'],
    ['https://.example.com/', 'must not have empty labels'],
  ])('must not be %s', (url, problem) => {
    expect(problemOf(url)).toContain(problem);
  });

  it("must have one of the operator's ports", () => {
    const policy = { ...productionPolicy, allowedPorts: [443, 8443] };
    expect(problemOf('https://example.com/', policy)).toBe('');
    expect(problemOf('https://example.com:8443/', policy)).toBe('');
    expect(problemOf('https://example.com:22/', policy)).toBe(
      'url must use an allowed port: 443, 8443',
    );
  });

  it('may begin with http:// if the operator allows that', () => {
    const policy = { ...productionPolicy, allowHttp: true };
    expect(problemOf('http://example.com/', policy)).toBe('');
    expect(problemOf('http://example.com:8080/', { ...policy, allowedPorts: [80] })).toContain(
      '80',
    );
    expect(problemOf('http://example.com/', { ...policy, allowedPorts: [80] })).toBe('');
  });

  it.each(['127.0.0.0/8', '::1/128'])('may be localhost if the operator allows %s', (range) => {
    const policy = { ...productionPolicy, addressPolicy: new AddressPolicy([range]) };
    expect(problemOf('https://localhost/', policy)).toBe('');
    expect(problemOf('https://localhost/')).toContain('private address');
  });
});

it.each([
  ['https://example.com/a', 'https://EXAMPLE.com:443/b?c', true],
  ['https://example.com/', 'http://example.com/', false],
  ['https://example.com/', 'https://www.example.com/', false],
  ['https://example.com/', 'https://example.com:8443/', false],
])('whether %s and %s have the same origin: %s', (first, second, isSame) => {
  expect(isSameOrigin(first, second)).toBe(isSame);
});
