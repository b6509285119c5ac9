import type { Defect } from './defect.ts';

const SIGNATURE = 'libs/webhooks/sending/signature.ts';
const SIGNATURE_TESTS = ['libs/webhooks/sending/signature.spec.ts'];
const POLICY = 'libs/webhooks/sending/address-policy.ts';
const POLICY_TESTS = ['libs/webhooks/sending/address-policy.spec.ts'];
const URL_TESTS = ['libs/webhooks/sending/endpoint-url.spec.ts'];

/** Signatures of notifications, and the addresses that they may be sent to. */
export const sending: Defect[] = [
  {
    name: 'the standard signature leaves out the id of the message',
    file: SIGNATURE,
    text: 'sign(`${id}.${timestamp}.${body}`',
    replacement: 'sign(`${timestamp}.${body}`',
    tests: SIGNATURE_TESTS,
  },
  {
    name: 'the service signature leaves out the timestamp',
    file: SIGNATURE,
    text: 'sign(`${timestamp}.${body}`',
    replacement: 'sign(`${body}`',
    tests: SIGNATURE_TESTS,
  },
  {
    name: 'only the first of several secrets signs',
    file: SIGNATURE,
    text: 'keys.map((key)',
    replacement: 'keys.slice(0, 1).map((key)',
    tests: SIGNATURE_TESTS,
  },
  {
    name: 'the timestamp of a notification is in milliseconds',
    file: SIGNATURE,
    text: "'webhook-timestamp': String(timestamp),",
    replacement: "'webhook-timestamp': String(timestamp * 1_000),",
    tests: SIGNATURE_TESTS,
  },
  {
    name: 'an IPv4 address in an IPv6 address passes as IPv6',
    file: POLICY,
    text: 'ipaddr.process(ipAddress)',
    replacement: 'ipaddr.parse(ipAddress)',
    tests: POLICY_TESTS,
  },
  {
    name: "webhooks may be sent to Azure's address of its own hosts",
    file: POLICY,
    text: 'if (parsed.toString() === AZURE_HOST_ADDRESS)',
    replacement: 'if (parsed.toString() === ipAddress && ipAddress === AZURE_HOST_ADDRESS + " ")',
    tests: POLICY_TESTS,
  },
  {
    name: 'webhooks may be sent to private addresses',
    file: POLICY,
    text: "if (parsed.range() !== 'unicast')",
    replacement: "if (!['unicast', 'private'].includes(parsed.range()))",
    tests: POLICY_TESTS,
  },
  {
    name: 'webhooks may be sent to link-local addresses, such as that of cloud metadata',
    file: POLICY,
    text: "if (parsed.range() !== 'unicast')",
    replacement: "if (!['unicast', 'linkLocal'].includes(parsed.range()))",
    tests: POLICY_TESTS,
  },
  {
    name: 'webhooks may be sent to IPv6 addresses that nobody has',
    file: POLICY,
    text: 'return isAssigned(parsed) ? undefined',
    replacement: 'return parsed.toString() ? undefined',
    tests: POLICY_TESTS,
  },
  {
    name: 'the URL of a webhook may name localhost',
    file: 'libs/webhooks/sending/endpoint-url.ts',
    text: 'return LOOPBACK_ADDRESSES.some((ipAddress) => addressPolicy.allows(ipAddress))',
    replacement: 'return LOOPBACK_ADDRESSES.some((ipAddress) => ipAddress !== "")',
    tests: URL_TESTS,
  },
  {
    name: 'the URL of a webhook may disguise its host',
    file: 'libs/webhooks/sending/endpoint-url.ts',
    text: 'if (!isIpv6 && host !== url.hostname) {',
    replacement: 'if (!isIpv6 && host === "") {',
    tests: URL_TESTS,
  },
];
