import { Payload } from './payload.js';
import { deletedUser, type Provider } from './provider.js';
import { constantTimeEqual } from './signatures.js';

const HANDLED_TYPES = ['user.created', 'user.updated', 'user.deleted'];

/**
 * Auth0's event streams send CloudEvents (`{id, type, time, data: {object}}`) with a bearer token and
 * without a signature.
 */
export const auth0: Provider = {
  isAuthentic({ headers }, secret) {
    return constantTimeEqual(headers['authorization'] ?? '', `Bearer ${secret}`);
  },

  parse(message) {
    const envelope = new Payload(message);
    const type = envelope.id('type');
    const common = { provider: 'auth0', eventId: envelope.id('id'), type } as const;
    // A test message names a user that does not exist.
    if (!HANDLED_TYPES.includes(type) || envelope.text('a0purpose') === 'test') {
      return { ...common, occurredAt: new Date() };
    }
    const user = envelope.object('data').object('object');
    const subject = user.id('user_id');
    if (type === 'user.deleted') {
      return { ...common, occurredAt: new Date(), user: deletedUser(subject) };
    }
    const occurredAt = user.has('updated_at') ? user.time('updated_at') : envelope.time('time');
    return {
      ...common,
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
