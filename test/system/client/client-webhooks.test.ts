import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { verifyWebhook, WebhookVerificationError } from '#client';

describe('a webhook', () => {
  const secrets = Array.from({ length: 3 }, () => `whsec_${randomBytes(32).toString('base64')}`);
  const [secret = '', otherSecret = '', thirdSecret = ''] = secrets;
  const payload = JSON.stringify({
    event: 'module.deleted',
    timestamp: '',
    data: { name: 'Füße 🦶' },
  });
  const signedHeaders = (signingSecret = secret, time = new Date(), content = payload) => ({
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(time.getTime() / 1000)),
    'webhook-signature': new Webhook(signingSecret).sign('msg_1', time, content),
  });
  const timeFromNow = (offsetSeconds: number) => new Date(Date.now() + offsetSeconds * 1000);

  it('is verified and typed, from text and bytes, of Node and of fetch', async () => {
    const verified = { id: 'msg_1', notification: JSON.parse(payload) as unknown };
    const headers = signedHeaders();
    expect(await verifyWebhook(payload, headers, secret)).toEqual(verified);
    expect(await verifyWebhook(Buffer.from(payload), headers, [secret])).toEqual(verified);
    expect(await verifyWebhook(payload, new Headers(headers), secret)).toEqual(verified);
    const upperCaseHeaders = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
    );
    expect(await verifyWebhook(payload, upperCaseHeaders, secret)).toEqual(verified);
    expect(await verifyWebhook(payload, headers, secret.replace('whsec_', ''))).toEqual(verified);
    const { notification } = await verifyWebhook(payload, headers, secret);
    if (notification.event === 'module.deleted') expect(notification.data.name).toBe('Füße 🦶');
  });

  it('may be signed by any of several secrets, and with several', async () => {
    await verifyWebhook(payload, signedHeaders(otherSecret), secrets);
    const signatures = [thirdSecret, otherSecret]
      .map((each) => signedHeaders(each)['webhook-signature'])
      .join(' ');
    await verifyWebhook(
      payload,
      { ...signedHeaders(), 'webhook-signature': `v2,x ${signatures}` },
      otherSecret,
    );
  });

  it.each<[string, string, object]>([
    ['another body', `${payload} `, signedHeaders()],
    ['another id', payload, { ...signedHeaders(), 'webhook-id': 'msg_2' }],
    [
      'another time',
      payload,
      {
        ...signedHeaders(),
        'webhook-timestamp': signedHeaders(secret, timeFromNow(-2))['webhook-timestamp'],
      },
    ],
    ['another secret', payload, signedHeaders(otherSecret)],
    ['an old signature', payload, signedHeaders(secret, timeFromNow(-3600))],
    ['a signature from the future', payload, signedHeaders(secret, timeFromNow(3600))],
    ['an invalid time', payload, { ...signedHeaders(), 'webhook-timestamp': 'NaN' }],
    ['no signature', payload, { ...signedHeaders(), 'webhook-signature': undefined }],
    ['an empty signature', payload, { ...signedHeaders(), 'webhook-signature': 'v1,' }],
    [
      'another scheme',
      payload,
      {
        ...signedHeaders(),
        'webhook-signature': signedHeaders()['webhook-signature'].replace('v1', 'v0'),
      },
    ],
    ['no headers', payload, {}],
  ])('is refused with %s', async (_title, content, headers) => {
    const verification = verifyWebhook(content, headers as Record<string, string>, secret);
    await expect(verification).rejects.toThrow(WebhookVerificationError);
  });

  it('may be as old as the receiver allows', async () => {
    await verifyWebhook(payload, signedHeaders(secret, timeFromNow(-400)), secret, {
      toleranceSeconds: 1000,
    });
  });

  it.each([[''], ['whsec_'], ['whsec_?'], [[]]])(
    'is not checked with the secret %j',
    async (invalidSecret) => {
      await expect(verifyWebhook(payload, signedHeaders(), invalidSecret)).rejects.toThrow(
        TypeError,
      );
    },
  );

  it('is refused as a parsed object', async () => {
    const parsed = JSON.parse(payload) as string;
    await expect(verifyWebhook(parsed, signedHeaders(), secret)).rejects.toThrow('raw body');
  });
});
