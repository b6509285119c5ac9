import { randomInt, randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import type { ApiResponse } from '../api/api-response.js';
import type { Client } from '../api/client.js';

/** How a message differs from a correct message. */
export interface Sending {
  id?: string;
  prefix?: 'webhook' | 'svix';
  signedAt?: Date;
  secret?: string;
  /** The signed text, if it differs from the sent text. */
  signed?: string;
  headers?: Record<string, string>;
}

/** Sends messages as Clerk does, through Svix. */
export const clerkSender =
  (client: Client, secret: string) =>
  (message: unknown, sending: Sending = {}): Promise<ApiResponse> => {
    const { id = `msg_${randomUUID()}`, prefix = 'webhook', signedAt = new Date() } = sending;
    const body = typeof message === 'string' ? message : JSON.stringify(message);
    const webhook = new Webhook(sending.secret ?? secret);
    return client.raw('POST', '/api/auth/webhook', body, {
      'content-type': 'application/json',
      [`${prefix}-id`]: id,
      [`${prefix}-timestamp`]: String(Math.floor(signedAt.getTime() / 1000)),
      [`${prefix}-signature`]: webhook.sign(id, signedAt, sending.signed ?? body),
      ...sending.headers,
    });
  };

export const message = (type: string, data: unknown, timestamp: unknown = Date.now()) => ({
  type,
  object: 'event',
  timestamp,
  data,
});

const user = (id: string, updatedAt: number, fields: object) => ({
  id,
  email_addresses: [
    { id: 'second', email_address: `second@${id}.example` },
    { id: 'first', email_address: `first@${id}.example` },
  ],
  primary_email_address_id: 'first',
  first_name: 'Ada',
  last_name: 'Lovelace',
  updated_at: updatedAt,
  ...fields,
});

export const created = (id: string, at: number, fields: object = {}) =>
  message('user.created', user(id, at, fields), at);
export const updated = (id: string, at: number, fields: object = {}) =>
  message('user.updated', user(id, at, fields), at);
export const deleted = (id: string, at: number) =>
  message('user.deleted', { id, deleted: true }, at);

/** A text of random characters that take three bytes each in UTF-8. Such a text does not compress. */
export const longText = (length: number) =>
  Array.from({ length }, () => String.fromCharCode(0x4e00 + randomInt(20_000))).join('');

const at = 5_000;
/** Messages that Galley cannot apply: what is wrong with each message, and the message. */
export const misshapen: [string, unknown][] = [
  ...['', '{', '[]', '"user.created"', 'null', '7', '{}'].map((body): [string, unknown] => [
    `the body '${body}'`,
    body,
  ]),
  ['a number as type', { type: 7, data: {} }],
  ...[undefined, null, 7, 'x', []].map((data): [string, unknown] => [
    `${JSON.stringify(data)} as data`,
    message('user.created', data),
  ]),
  ...[undefined, null, 7, '', {}].map((id): [string, unknown] => [
    `${JSON.stringify({ id })} as user`,
    message('user.created', { id, updated_at: at }),
  ]),
  ['an id of 1000 letters', message('user.created', { id: longText(1000), updated_at: at })],
  ...[7, 'x', {}, ['x'], [null], [{ id: 'a', email_address: 7 }]].map((list): [string, unknown] => [
    `${JSON.stringify(list)} as addresses`,
    created('misshapen', at, { email_addresses: list }),
  ]),
  ...[7, ['x'], {}].map((name): [string, unknown] => [
    `${JSON.stringify(name).slice(0, 9)} as name`,
    created('misshapen', at, { first_name: name }),
  ]),
  ...['5000', {}, 1e300, -1e15].map((time): [string, unknown] => [
    `${JSON.stringify(time)} as time`,
    created('misshapen', at, { updated_at: time }),
  ]),
  ['a deletion without an id', message('user.deleted', { deleted: true })],
];
