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
    // Only custom data, or a part of the profile, or a test: nothing that makes a whole user.
    if (data === undefined || !data.has('id')) return said;
    const profile = data.has('profile') ? data.object('profile') : undefined;
    const email = data.text('primaryEmail');
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
