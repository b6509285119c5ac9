import { createHash } from 'node:crypto';
import { Fields } from './fields.js';
import { deletedUser, type Provider } from './provider.js';
import { hmacHex, isSame } from './signatures.js';

const TYPES = [
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
  isGenuine({ body, headers }, secret) {
    return isSame(headers['logto-signature-sha-256'] ?? '', hmacHex(secret, body));
  },

  read(message, { body }) {
    const envelope = new Fields(message);
    const type = envelope.id('event');
    const eventId = createHash('sha256').update(body).digest('hex');
    const said = { provider: 'logto', eventId, type, occurredAt: new Date() } as const;
    if (!TYPES.includes(type)) return said;
    const data = envelope.has('data') ? envelope.object('data') : undefined;
    if (type === 'User.Deleted') {
      // Older versions send no data with it.
      const source = data?.has('id') ? data.id('id') : envelope.object('params').id('userId');
      return { ...said, user: deletedUser(source) };
    }
    if (data === undefined || !isUser(data, envelope)) return said;
    const profile = data.has('profile') ? data.object('profile') : undefined;
    const email = data.email('primaryEmail');
    return {
      ...said,
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
function isUser(data: Fields, envelope: Fields): boolean {
  if (!data.has('id')) return false;
  if (envelope.has('path') && !USER_ROUTES.test(envelope.text('path'))) return false;
  const params = envelope.has('params') ? envelope.object('params') : undefined;
  return !params?.has('userId') || params.id('userId') === data.id('id');
}
