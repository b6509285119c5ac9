import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import { Agent, request } from 'undici';
import type { BareJob } from './bare-job.js';

const { SINK_URL = '' } = process.env;
const key = createSecretKey(randomBytes(32));
const agent = new Agent();

/**
 * Signs the body of a job as Standard Webhooks does, and posts the body.
 *
 * @throws if the receiver refuses the body.
 */
export async function deliver({ id, body }: BareJob): Promise<void> {
  const at = Math.floor(Date.now() / 1000);
  const signature = createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64');
  const response = await request(SINK_URL, {
    dispatcher: agent,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(at),
      'webhook-signature': `v1,${signature}`,
    },
    body,
  });
  await response.body.dump();
  if (response.statusCode >= 300)
    throw new Error(`The receiver responded with ${response.statusCode}.`);
}
