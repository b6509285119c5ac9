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
 * Supports Logto's data hooks. The header `logto-signature-sha-256` is the HMAC of the body, without a timestamp.
 * Messages have no id, so two messages with the same bytes count as one message.
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
      // Older versions of Logto send no data with a deletion.
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
        // Logto's tokens set the claim `email_verified` in the same way.
        emailVerified: email !== '',
        firstName: profile?.text('givenName') || data.text('name'),
        lastName: profile?.text('familyName') ?? '',
      },
    };
  },
};

// Messages about these routes contain a whole user. Messages about other routes contain only custom data or the
// profile, in which users may write anything.
const USER_ROUTES = /^(\/api)?(\/users(\/[^/]+(\/(is-suspended|password))?)?|\/my-account)$/;

/**
 * Whether the data of a message is a user. A test message has no `params`; a message about an action on the
 * sign-in page has no `path`.
 */
function isUserPayload(data: Payload, envelope: Payload): boolean {
  if (!data.has('id')) return false;
  if (envelope.has('path') && !USER_ROUTES.test(envelope.text('path'))) return false;
  const params = envelope.has('params') ? envelope.object('params') : undefined;
  return !params?.has('userId') || params.id('userId') === data.id('id');
}
