import { Fields } from './fields.js';
import { deletedUser, type Provider } from './provider.js';
import { isSame } from './signatures.js';

const TYPES = ['user.created', 'user.updated', 'user.deleted'];

/** Event streams: CloudEvents (`{id, type, time, data: {object}}`) with a token and no signature. */
export const auth0: Provider = {
  isGenuine({ headers }, secret) {
    return isSame(headers['authorization'] ?? '', `Bearer ${secret}`);
  },

  read(message) {
    const envelope = new Fields(message);
    const type = envelope.id('type');
    const said = { provider: 'auth0', eventId: envelope.id('id'), type } as const;
    // A test of the stream speaks of a user whom nobody has.
    if (!TYPES.includes(type) || envelope.text('a0purpose') === 'test') {
      return { ...said, occurredAt: new Date() };
    }
    const user = envelope.object('data').object('object');
    const subject = user.id('user_id');
    if (type === 'user.deleted') {
      return { ...said, occurredAt: new Date(), user: deletedUser(subject) };
    }
    const occurredAt = user.has('updated_at') ? user.time('updated_at') : envelope.time('time');
    return {
      ...said,
      occurredAt,
      user: {
        subject,
        status: user.flag('blocked') ? 'deactivated' : 'active',
        email: user.email('email'),
        emailVerified: user.flag('email_verified'),
        firstName: user.text('given_name'),
        lastName: user.text('family_name'),
      },
    };
  },
};
