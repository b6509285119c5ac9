import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startRefusalHarness, type RefusalHarness } from '../../support/requests/refusals.js';

let production: RefusalHarness;

beforeAll(async () => {
  production = await startRefusalHarness({ NODE_ENV: 'production', WEBHOOK_ALLOWED_RANGES: '' });
});
afterAll(() => production.galley.stop());

describe('the URL of a webhook in production', () => {
  const forbiddenHosts = [
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f.0.0.1',
    '017700000001',
    '127.0.0.1.',
    '0.0.0.0',
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '192.0.2.1',
    '198.18.0.1',
    '１２７.0.0.1',
    'localhost',
    'LOCALHOST',
    'a.localhost',
    'localhost.',
    '[::1]',
    '[::]',
    '[fe80::1]',
    '[fc00::1]',
    '[fd12::1]',
    '[ff02::1]',
    '[2001:db8::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:10.0.0.1]',
    '[::ffff:a9fe:a9fe]',
    '[::127.0.0.1]',
    '[64:ff9b::127.0.0.1]',
    '[64:ff9b::a9fe:a9fe]',
    '[2002:7f00:1::]',
    '[fec0::1]',
    '127.0.0.1..',
    'localhost..',
    'example..com',
    '.example.com',
    '0x7f.1..',
  ];
  const forbiddenUrls = [
    'http://example.com',
    'HTTP://example.com',
    'http://93.184.216.34',
    'ws://example.com',
    ...forbiddenHosts.flatMap((host) => [`https://${host}/hook`, `https://${host}:8443`]),
  ];

  it.each(forbiddenUrls)('is 400 for %s', async (url) => {
    const createBody = { workspaceId: '<workspace>', url, events: ['template.created'] };
    for (const [route, body] of [
      ['POST /api/webhooks', createBody],
      ['PUT /api/webhooks/<webhook>', { url }],
    ] as const) {
      const { details } = await production.expectRefusal([url, 400, route, body]);
      expect(details?.map(({ path }) => path)).toEqual(['url']);
    }
  });

  it.each([
    'https://example.com',
    'https://93.184.216.34/a?b=c',
    'https://[2606:4700::1111]:8443/',
  ])('may be %s', async (url) => {
    const { status } = await production.send(['', 200, 'PUT /api/webhooks/<webhook>', { url }]);
    expect(status).toBe(200);
  });
});
