import { expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { createSignatureHeaders, decodeSigningKey } from './signature.js';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const id = 'msg_p5jXN8AQM9LWM0D4loKWxJek';
const body = '{"event":"template.created","data":{"name":"Grüße"}}';

it('agrees with the standardwebhooks package', () => {
  const now = new Date();
  const timestamp = Math.floor(now.getTime() / 1000);
  const headers = createSignatureHeaders([decodeSigningKey(secret)], { id, timestamp, body });
  expect(headers['webhook-signature']).toBe(new Webhook(secret).sign(id, now, body));
});

it('is verified by the svix package', () => {
  const timestamp = Math.floor(Date.now() / 1000);
  const headers = createSignatureHeaders([decodeSigningKey(secret)], { id, timestamp, body });
  const webhook = new SvixWebhook(secret);
  expect(() => webhook.verify(body, headers)).not.toThrow();
  expect(() => webhook.verify(`${body} `, headers)).toThrow();
});

it('agrees with the standard libraries of Python and Go', () => {
  const timestamp = 1_795_256_598;
  // These signatures are the output of hmac.new(bytes([7]) * 32, content, 'sha256') in Python and hmac.New(sha256.New,
  // key) in Go.
  expect(createSignatureHeaders([decodeSigningKey(secret)], { id, timestamp, body })).toEqual({
    'webhook-id': id,
    'webhook-timestamp': '1795256598',
    'webhook-signature': 'v1,9sXLXRatwqpXc1TvKxM+No9hieN3Arn6YBN3cvBFT9M=',
    'x-service-signature':
      't=1795256598,v1=c6e23e9b1fe88486f11bd06ac200d8b21c73faf64a1057b9f62acd50bccbbb99',
  });
});

it('signs with every key while a secret is rotated', () => {
  const timestamp = Math.floor(Date.now() / 1000);
  const otherSecret = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
  const keys = [decodeSigningKey(otherSecret), decodeSigningKey(secret)];
  const headers = createSignatureHeaders(keys, { id, timestamp, body });
  for (const verifyingSecret of [secret, otherSecret]) {
    expect(new Webhook(verifyingSecret).verify(body, headers)).toEqual(JSON.parse(body));
  }
  expect(headers['x-service-signature']).toMatch(/^t=\d+,v1=[\da-f]{64},v1=[\da-f]{64}$/);
});
