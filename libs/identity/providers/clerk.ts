import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { DomainError } from '#errors';
import { Payload } from './payload.js';
import {
  deletedMembership,
  deletedUser,
  parseRole,
  type Provider,
  type ProviderMembership,
  type ProviderMessage,
  type ProviderUser,
  type SignedRequest,
} from './provider.js';

const MAX_ID_LENGTH = 255;

/**
 * Supports Clerk and all other senders of Standard Webhooks whose messages have Clerk's shape, `{type, timestamp,
 * data}`. Clerk sends messages through Svix, whose headers are named `svix-…`.
 */
export const clerk: Provider = {
  isAuthentic(request, secret) {
    try {
      new Webhook(secret).verify(request.body, {
        'webhook-id': webhookHeader(request, 'id'),
        'webhook-timestamp': webhookHeader(request, 'timestamp'),
        'webhook-signature': webhookHeader(request, 'signature'),
      });
      return true;
    } catch (error) {
      if (error instanceof WebhookVerificationError) return false;
      // The signature was valid, but the signed text is not JSON.
      if (error instanceof SyntaxError) return true;
      throw error;
    }
  },

  parse(message, request) {
    const eventId = webhookHeader(request, 'id');
    if (eventId.length > MAX_ID_LENGTH) {
      throw DomainError.invalid(
        'webhook-id',
        `webhook-id is longer than ${MAX_ID_LENGTH} characters`,
      );
    }
    const envelope = new Payload(message);
    const type = envelope.id('type');
    const [kind = '', event] = type.split('.');
    const isDeleted = event === 'deleted';
    const common = { provider: 'clerk', eventId, type, occurredAt: new Date() } as const;
    const parsePayload = PAYLOAD_PARSERS.get(kind);
    const isHandledEvent = isDeleted || event === 'created' || event === 'updated';
    if (parsePayload === undefined || !isHandledEvent) return common;

    const data = envelope.object('data');
    // A deletion is final, whatever its time.
    const occurredAt = isDeleted ? common.occurredAt : parseUpdatedAt(data, envelope);
    return { ...common, occurredAt, ...parsePayload(data, isDeleted) };
  },
};

type PayloadParser = (
  data: Payload,
  isDeleted: boolean,
) => Pick<ProviderMessage, 'user' | 'organization' | 'membership'>;

const PAYLOAD_PARSERS = new Map<string, PayloadParser>([
  [
    'user',
    (data, isDeleted) => ({ user: isDeleted ? deletedUser(data.id('id')) : parseUser(data) }),
  ],
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
  [
    'organizationMembership',
    (data, isDeleted) => ({ membership: parseMembership(data, isDeleted) }),
  ],
]);

function parseMembership(data: Payload, isDeleted: boolean): ProviderMembership {
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
    role: parseRole(data.text('role')),
  };
}

function parseUser(data: Payload): ProviderUser {
  const emails = data.objects('email_addresses');
  // If a user has no primary email address (null), the first address is used.
  const primaryEmailId = data.text('primary_email_address_id');
  const email =
    emails.find((candidate) => candidate.text('id') === primaryEmailId && primaryEmailId !== '') ??
    emails[0];
  const verification = email?.has('verification') ? email.object('verification') : undefined;
  return {
    subject: data.id('id'),
    status: data.flag('banned') ? 'deactivated' : 'active',
    email: email?.email('email_address') ?? data.email('email'),
    emailVerified: verification?.text('status') === 'verified' || data.flag('email_verified'),
    firstName: data.text('first_name'),
    lastName: data.text('last_name'),
  };
}

/** Standard Webhooks contain times in ISO 8601; Clerk's messages contain times in milliseconds. */
function parseUpdatedAt(data: Payload, envelope: Payload): Date {
  if (data.has('updated_at')) return data.time('updated_at');
  return envelope.has('timestamp') ? envelope.time('timestamp') : new Date();
}

const webhookHeader = ({ headers }: SignedRequest, name: string): string =>
  headers[`webhook-${name}`] ?? headers[`svix-${name}`] ?? '';
