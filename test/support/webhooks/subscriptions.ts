import { createHmac, timingSafeEqual } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { createWebhook, type CreatedWebhook } from '#client';
import type { EventPattern } from '#events';
import type { Client } from '../api/client.js';
import { expectDocumentedNotification } from '../api/contract.js';
import type { Notification, Receiver } from './receiver.js';

const ALL_EVENTS: EventPattern[] = [
  'template.created',
  'template.updated',
  'template.deleted',
  'template.duplicated',
  'module.created',
  'module.updated',
  'module.deleted',
];

export async function subscribe(
  { generated: client }: Client,
  workspaceId: string,
  receiver: Pick<Receiver, 'url'>,
  events: EventPattern[] = ALL_EVENTS,
): Promise<CreatedWebhook> {
  const { data } = await createWebhook({
    client,
    body: { workspaceId, url: receiver.url, events },
  });
  return data;
}

export interface Payload {
  event: string;
  timestamp: string;
  data: Record<string, unknown>;
}

/** Verifies a notification with the library that subscribers use. */
export function verify(secret: string, { body, headers }: Notification): Payload {
  expectDocumentedNotification({ body, headers });
  return new Webhook(secret).verify(body, headers as Record<string, string>) as Payload;
}

/** Verifies `X-Service-Signature` with the code that a subscriber without a library would write. */
export function verifyServiceSignature(secret: string, { body, headers }: Notification): boolean {
  const header = String(headers['x-service-signature']);
  const [, timestamp = '', signature = ''] = /^t=(\d+),v1=([\da-f]{64})$/.exec(header) ?? [];
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const expected = createHmac('sha256', key).update(`${timestamp}.${body}`).digest();
  const isRecent = Math.abs(Date.now() / 1000 - Number(timestamp)) < 300;
  return isRecent && timingSafeEqual(Buffer.from(signature, 'hex'), expected);
}
