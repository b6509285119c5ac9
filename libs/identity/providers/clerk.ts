import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { DomainError } from '#errors';
import { Fields } from './fields.js';
import {
  deletedMembership,
  deletedUser,
  roleNamed,
  type Provider,
  type ProviderMembership,
  type ProviderMessage,
  type ProviderUser,
  type Signed,
} from './provider.js';

const MAX_ID_LENGTH = 255;

/**
 * Clerk, and whoever sends `{type, timestamp, data}` of its shape as Standard Webhooks describes.
 * Svix, with which Clerk sends, names the headers `svix-…`.
 */
export const clerk: Provider = {
  isGenuine(signed, secret) {
    try {
      new Webhook(secret).verify(signed.body, {
        'webhook-id': header(signed, 'id'),
        'webhook-timestamp': header(signed, 'timestamp'),
        'webhook-signature': header(signed, 'signature'),
      });
      return true;
    } catch (error) {
      if (error instanceof WebhookVerificationError) return false;
      // The signature was right; what was signed is not JSON.
      if (error instanceof SyntaxError) return true;
      throw error;
    }
  },

  read(message, signed) {
    const eventId = header(signed, 'id');
    if (eventId.length > MAX_ID_LENGTH) {
      throw DomainError.invalid(
        'webhook-id',
        `webhook-id is longer than ${MAX_ID_LENGTH} characters`,
      );
    }
    const envelope = new Fields(message);
    const type = envelope.id('type');
    const [kind = '', event] = type.split('.');
    const isDeleted = event === 'deleted';
    const said = { provider: 'clerk', eventId, type, occurredAt: new Date() } as const;
    const about = READERS.get(kind);
    const isKnown = isDeleted || event === 'created' || event === 'updated';
    if (about === undefined || !isKnown) return said;

    const data = envelope.object('data');
    // A deletion is final, whenever it was.
    const occurredAt = isDeleted ? said.occurredAt : timeOf(data, envelope);
    return { ...said, occurredAt, ...about(data, isDeleted) };
  },
};

type Reader = (
  data: Fields,
  isDeleted: boolean,
) => Pick<ProviderMessage, 'user' | 'organization' | 'membership'>;

const READERS = new Map<string, Reader>([
  ['user', (data, isDeleted) => ({ user: isDeleted ? deletedUser(data.id('id')) : userOf(data) })],
  [
    'organization',
    (data, isDeleted) => ({
      organization: {
        id: data.id('id'),
        status: isDeleted ? 'deleted' : 'active',
        name: isDeleted ? '' : data.text('name'),
      },
    }),
  ],
  ['organizationMembership', (data, isDeleted) => ({ membership: membershipOf(data, isDeleted) })],
]);

function membershipOf(data: Fields, isDeleted: boolean): ProviderMembership {
  if (isDeleted && !(data.has('organization') && data.has('public_user_data'))) {
    return deletedMembership(data.id('id'));
  }
  const organization = data.object('organization');
  return {
    id: data.id('id'),
    status: isDeleted ? 'deleted' : 'active',
    organizationId: organization.id('id'),
    organizationName: organization.text('name'),
    subject: data.object('public_user_data').id('user_id'),
    role: roleNamed(data.text('role')),
  };
}

function userOf(data: Fields): ProviderUser {
  const addresses = data.objects('email_addresses');
  // A user may have no primary address (it is null then); the first one stands in for it.
  const primary = data.text('primary_email_address_id');
  const address =
    addresses.find((each) => each.text('id') === primary && primary !== '') ?? addresses[0];
  const verification = address?.has('verification') ? address.object('verification') : undefined;
  return {
    subject: data.id('id'),
    status: data.flag('banned') ? 'deactivated' : 'active',
    email: address?.email('email_address') ?? data.email('email'),
    emailVerified: verification?.text('status') === 'verified' || data.flag('email_verified'),
    firstName: data.text('first_name'),
    lastName: data.text('last_name'),
  };
}

/** Standard Webhooks has ISO 8601, Clerk milliseconds. */
function timeOf(data: Fields, envelope: Fields): Date {
  if (data.has('updated_at')) return data.time('updated_at');
  return envelope.has('timestamp') ? envelope.time('timestamp') : new Date();
}

const header = ({ headers }: Signed, name: string): string =>
  headers[`webhook-${name}`] ?? headers[`svix-${name}`] ?? '';
