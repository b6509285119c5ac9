import { createHmac } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { signatureHeaders, signingKey } from './signature.js';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const id = 'msg_p5jXN8AQM9LWM0D4loKWxJek';
const body = '{"event":"template.created","data":{"name":"Grüße"}}';

it('agrees with the standardwebhooks package', () => {
  const now = new Date();
  const at = Math.floor(now.getTime() / 1000);
  const headers = signatureHeaders(signingKey(secret), { id, at, body });
  expect(headers['webhook-signature']).toBe(new Webhook(secret).sign(id, now, body));
});

it('signs time and raw body in X-Service-Signature', () => {
  const at = 1_795_256_598;
  const { 'x-service-signature': header } = signatureHeaders(signingKey(secret), { id, at, body });
  const expected = createHmac('sha256', Buffer.alloc(32, 7)).update(`${at}.${body}`).digest('hex');
  expect(header).toBe(`t=${at},v1=${expected}`);
});
