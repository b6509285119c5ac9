import { Fields } from './fields.js';
import {
  deletedMembership,
  deletedUser,
  roleNamed,
  type Provider,
  type ProviderMembership,
} from './provider.js';
import { hmacHex, isRecent, isSame } from './signatures.js';

/** `WorkOS-Signature: t=<milliseconds>, v1=<hex>` over `<t>.<body>`; `{id, event, data, created_at}`. */
export const workos: Provider = {
  isGenuine({ body, headers }, secret) {
    const parts = (headers['workos-signature'] ?? '').split(',').map((part) => part.trim());
    const given = (name: string) =>
      parts
        .filter((part) => part.startsWith(`${name}=`))
        .map((part) => part.slice(name.length + 1));
    const [time = ''] = given('t');
    if (!/^\d{1,15}$/.test(time) || !isRecent(Number(time))) return false;
    const expected = hmacHex(secret, `${time}.`, body);
    return given('v1').some((signature) => isSame(signature, expected));
  },

  read(message) {
    const envelope = new Fields(message);
    const type = envelope.id('event');
    const [kind, event] = type.split('.');
    const said = { provider: 'workos', eventId: envelope.id('id'), type } as const;
    const isDeleted = event === 'deleted';
    const isKnown = isDeleted || event === 'created' || event === 'updated';
    if (!isKnown || !['user', 'organization', 'organization_membership'].includes(kind ?? '')) {
      return { ...said, occurredAt: new Date() };
    }
    const data = envelope.object('data');
    const occurredAt = isDeleted ? new Date() : timeOf(data, envelope);
    if (kind === 'user') {
      return { ...said, occurredAt, user: isDeleted ? deletedUser(data.id('id')) : userOf(data) };
    }
    if (kind === 'organization') {
      const status = isDeleted ? 'deleted' : 'active';
      const name = isDeleted ? '' : data.text('name');
      return { ...said, occurredAt, organization: { id: data.id('id'), status, name } };
    }
    return { ...said, occurredAt, membership: membershipOf(data, isDeleted) };
  },
};

const userOf = (data: Fields) => ({
  subject: data.id('id'),
  // Whom WorkOS shuts out it shuts out of an organisation.
  status: 'active' as const,
  email: data.email('email'),
  emailVerified: data.flag('email_verified'),
  firstName: data.text('first_name'),
  lastName: data.text('last_name'),
});

function membershipOf(data: Fields, isDeleted: boolean): ProviderMembership {
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
    role: roleNamed(roleOf(data)?.text('slug') ?? ''),
  };
}

const roleOf = (data: Fields): Fields | undefined =>
  data.has('role') ? data.object('role') : data.objects('roles')[0];

const timeOf = (data: Fields, envelope: Fields): Date =>
  data.has('updated_at') ? data.time('updated_at') : envelope.time('created_at');
