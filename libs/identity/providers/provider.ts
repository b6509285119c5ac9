import type { Role } from '#workspaces';

export type ProviderName = 'clerk' | 'workos' | 'auth0' | 'logto';

/** What every provider's message becomes. */
export interface ProviderMessage {
  provider: ProviderName;
  /** The same for a message that comes twice. */
  eventId: string;
  type: string;
  /** The provider's time of what the message says. Messages may come late, and the newest wins. */
  occurredAt: Date;
  /** One of these, or none for a message that says nothing which Galley keeps. */
  user?: ProviderUser;
  organization?: ProviderOrganization;
  membership?: ProviderMembership;
}

export interface ProviderUser {
  subject: string;
  /** Of a deleted user nothing but the subject counts. */
  status: 'active' | 'deactivated' | 'deleted';
  email: string;
  emailVerified: boolean;
  firstName: string;
  lastName: string;
}

export interface ProviderOrganization {
  id: string;
  status: 'active' | 'deleted';
  name: string;
}

export interface ProviderMembership {
  /** Of this membership; who leaves and comes back gets another. */
  id: string;
  /** `inactive` may become active again, `deleted` may not. */
  status: 'active' | 'inactive' | 'deleted';
  /** A deletion may leave out whose membership of what it was. */
  organizationId: string;
  /** For an organisation of which nothing has been heard so far. */
  organizationName: string;
  subject: string;
  role: Role;
}

/** A request as it came. The names of headers are in lower case. */
export interface SignedRequest {
  body: Buffer;
  headers: Record<string, string | undefined>;
}

/** Who says something, when, and from which address. */
export interface MessageSource {
  issuer: string;
  ipAddress: string | null;
  message: Pick<ProviderMessage, 'provider' | 'eventId' | 'occurredAt'>;
}

/** One provider's way of signing and of telling. */
export interface Provider {
  /** Whether the provider has sent it, as far as one secret can say, and not long ago. */
  isAuthentic(request: SignedRequest, secret: string): boolean;
  /** @throws DomainError `invalid` when a message of a known type has another shape. */
  parse(payload: unknown, request: SignedRequest): ProviderMessage;
}

export const deletedUser = (subject: string): ProviderUser => ({
  subject,
  status: 'deleted',
  email: '',
  emailVerified: false,
  firstName: '',
  lastName: '',
});

export const deletedMembership = (id: string): ProviderMembership => ({
  id,
  status: 'deleted',
  role: 'viewer',
  organizationId: '',
  organizationName: '',
  subject: '',
});

/**
 * The role of this name, with or without Clerk's `org:`. An ordinary member of an organisation works
 * on its templates; what a role of another name means is not known, so that it only reads.
 */
export function parseRole(name: string): Role {
  const bareName = name.replace(/^org:/, '');
  // The older name at Clerk.
  if (bareName === 'member' || bareName === 'basic_member') return 'editor';
  return bareName === 'owner' || bareName === 'admin' || bareName === 'editor'
    ? bareName
    : 'viewer';
}
