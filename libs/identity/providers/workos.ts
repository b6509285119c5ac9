import { Payload } from './payload.js';
import {
  deletedMembership,
  deletedUser,
  parseRole,
  type Provider,
  type ProviderMembership,
} from './provider.js';
import { hmacHex, isRecent, constantTimeEqual } from './signatures.js';

/**
 * WorkOS sends `WorkOS-Signature: t=<milliseconds>, v1=<hex>`, where `v1` is the HMAC of `<t>.<body>`. Messages have
 * the shape `{id, event, data, created_at}`.
 */
export const workos: Provider = {
  isAuthentic({ body, headers }, secret) {
    const parts = (headers['workos-signature'] ?? '').split(',').map((part) => part.trim());
    const valuesOf = (name: string) =>
      parts
        .filter((part) => part.startsWith(`${name}=`))
        .map((part) => part.slice(name.length + 1));
    const [timestamp = ''] = valuesOf('t');
    if (!/^\d{1,15}$/.test(timestamp) || !isRecent(Number(timestamp))) return false;
    const expected = hmacHex(secret, `${timestamp}.`, body);
    return valuesOf('v1').some((signature) => constantTimeEqual(signature, expected));
  },

  parse(message) {
    const envelope = new Payload(message);
    const type = envelope.id('event');
    const [kind, event] = type.split('.');
    const common = { provider: 'workos', eventId: envelope.id('id'), type } as const;
    const isDeleted = event === 'deleted';
    const isHandledEvent = isDeleted || event === 'created' || event === 'updated';
    if (
      !isHandledEvent ||
      !['user', 'organization', 'organization_membership'].includes(kind ?? '')
    ) {
      return { ...common, occurredAt: new Date() };
    }
    const data = envelope.object('data');
    const occurredAt = isDeleted ? new Date() : parseUpdatedAt(data, envelope);
    if (kind === 'user') {
      return {
        ...common,
        occurredAt,
        user: isDeleted ? deletedUser(data.id('id')) : parseUser(data),
      };
    }
    if (kind === 'organization') {
      const status = isDeleted ? 'deleted' : 'active';
      const name = isDeleted ? '' : data.text('name');
      return { ...common, occurredAt, organization: { id: data.id('id'), status, name } };
    }
    return { ...common, occurredAt, membership: parseMembership(data, isDeleted) };
  },
};

const parseUser = (data: Payload) => ({
  subject: data.id('id'),
  // WorkOS can deactivate a membership of an organization, but not a user.
  status: 'active' as const,
  email: data.email('email'),
  emailVerified: data.flag('email_verified'),
  firstName: data.text('first_name'),
  lastName: data.text('last_name'),
});

function parseMembership(data: Payload, isDeleted: boolean): ProviderMembership {
  const id = data.id('id');
  if (isDeleted && !(data.has('organization_id') && data.has('user_id'))) {
    return deletedMembership(id);
  }
  const isActive = data.text('status') === 'active';
  return {
    id,
    status: isDeleted ? 'deleted' : isActive ? 'active' : 'inactive',
    organizationId: data.id('organization_id'),
    organizationName: data.text('organization_name'),
    subject: data.id('user_id'),
    role: parseRole(findRole(data)?.text('slug') ?? ''),
  };
}

const findRole = (data: Payload): Payload | undefined =>
  data.has('role') ? data.object('role') : data.objects('roles')[0];

const parseUpdatedAt = (data: Payload, envelope: Payload): Date =>
  data.has('updated_at') ? data.time('updated_at') : envelope.time('created_at');
