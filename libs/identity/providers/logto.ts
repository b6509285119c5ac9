import { createHash } from 'node:crypto';
import { Payload } from './payload.js';
import { deletedUser, type Provider } from './provider.js';
import { hmacHex, constantTimeEqual } from './signatures.js';

const HANDLED_TYPES = [
  'User.Created',
  'User.Data.Updated',
  'User.SuspensionStatus.Updated',
  'User.Deleted',
];

/**
 * Data hooks: `logto-signature-sha-256` is the HMAC of the body, without a time. Nor has a message an
 * id, so that the same bytes count as the same message.
 */
export const logto: Provider = {
  isAuthentic({ body, headers }, secret) {
    return constantTimeEqual(headers['logto-signature-sha-256'] ?? '', hmacHex(secret, body));
  },

  parse(message, { body }) {
    const envelope = new Payload(message);
    const type = envelope.id('event');
    const eventId = createHash('sha256').update(body).digest('hex');
    const common = { provider: 'logto', eventId, type, occurredAt: new Date() } as const;
    if (!HANDLED_TYPES.includes(type)) return common;
    const data = envelope.has('data') ? envelope.object('data') : undefined;
    if (type === 'User.Deleted') {
      // Older versions send no data with it.
      const subject = data?.has('id') ? data.id('id') : envelope.object('params').id('userId');
      return { ...common, user: deletedUser(subject) };
    }
    if (data === undefined || !isUserPayload(data, envelope)) return common;
    const profile = data.has('profile') ? data.object('profile') : undefined;
    const email = data.email('primaryEmail');
    return {
      ...common,
      occurredAt: data.has('updatedAt') ? data.time('updatedAt') : envelope.time('createdAt'),
      user: {
        subject: data.id('id'),
        status: data.flag('isSuspended') ? 'deactivated' : 'active',
        email,
        // As Logto itself has it in its claim `email_verified`.
        emailVerified: email !== '',
        firstName: profile?.text('givenName') || data.text('name'),
        lastName: profile?.text('familyName') ?? '',
      },
    };
  },
};

// What these answer is a whole user. Others answer the custom data or the profile alone, which may
// say whatever somebody has put there.
const USER_ROUTES = /^(\/api)?(\/users(\/[^/]+(\/(is-suspended|password))?)?|\/my-account)$/;

/** A test has none of these, and what a user does at the login page no route. */
function isUserPayload(data: Payload, envelope: Payload): boolean {
  if (!data.has('id')) return false;
  if (envelope.has('path') && !USER_ROUTES.test(envelope.text('path'))) return false;
  const params = envelope.has('params') ? envelope.object('params') : undefined;
  return !params?.has('userId') || params.id('userId') === data.id('id');
}
