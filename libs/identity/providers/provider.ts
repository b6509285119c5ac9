import type { Role } from '#workspaces';

export type ProviderName = 'clerk' | 'workos' | 'auth0' | 'logto';

/** A message of any provider, in Galley's form. */
export interface ProviderMessage {
  provider: ProviderName;
  /** The same for a message that is sent twice. */
  eventId: string;
  type: string;
  /** When the provider changed the data. Messages may arrive late; the newest one wins. */
  occurredAt: Date;
  /** One of these, or none if the message contains nothing for Galley. */
  user?: ProviderUser;
  organization?: ProviderOrganization;
  membership?: ProviderMembership;
}

export interface ProviderUser {
  subject: string;
  /** If the user is deleted, only the subject is used. */
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
  /** The id of this membership; a user who leaves and returns gets another one. */
  id: string;
  /** `inactive` may become active again, `deleted` may not. */
  status: 'active' | 'inactive' | 'deleted';
  /** A deletion may leave out whose membership it was, and of which organization. */
  organizationId: string;
  /** The name for an organization that Galley does not know yet. */
  organizationName: string;
  subject: string;
  role: Role;
}

/** A request as it arrived, with header names in lower case. */
export interface SignedRequest {
  body: Buffer;
  headers: Record<string, string | undefined>;
}

/** The sender of a message, the message, and the IP address that it came from. */
export interface MessageSource {
  issuer: string;
  ipAddress: string | null;
  message: Pick<ProviderMessage, 'provider' | 'eventId' | 'occurredAt'>;
}

/** How one provider signs and words its messages. */
export interface Provider {
  /** Whether the provider sent the message, recently, as far as one secret can prove. */
  isAuthentic(request: SignedRequest, secret: string): boolean;
  /** @throws DomainError `invalid` if a message of a known type has another shape. */
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
 * The role of this name, with or without Clerk's prefix `org:`. An ordinary member of an organization edits
 * templates. A role with an unknown name may only read.
 */
export function parseRole(name: string): Role {
  const bareName = name.replace(/^org:/, '');
  // Clerk's older name.
  if (bareName === 'member' || bareName === 'basic_member') return 'editor';
  return bareName === 'owner' || bareName === 'admin' || bareName === 'editor'
    ? bareName
    : 'viewer';
}
