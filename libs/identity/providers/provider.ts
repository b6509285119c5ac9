import type { Role } from '#workspaces';

export type ProviderName = 'clerk' | 'workos' | 'auth0' | 'logto';

/** A message from an identity provider, in Galley's own format. */
export interface ProviderMessage {
  provider: ProviderName;
  /** The id of the message. If the provider sends the message again, the id is the same. */
  eventId: string;
  type: string;
  /** When the provider changed the data. Messages may arrive late; the message with the newest time wins. */
  occurredAt: Date;
  /** At most one of `user`, `organization` and `membership` is set; none if the message does not concern Galley. */
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
  /** The id of this membership; a user who leaves and returns gets a membership with a different id. */
  id: string;
  /** An `inactive` membership can become active again; a `deleted` one cannot. */
  status: 'active' | 'inactive' | 'deleted';
  /** Empty, like `subject`, if a deletion message does not say whose membership ended. */
  organizationId: string;
  /** The name of the organization. It is used only if Galley does not know the organization yet. */
  organizationName: string;
  subject: string;
  role: Role;
}

/** A request as it arrived, with header names in lower case. */
export interface SignedRequest {
  body: Buffer;
  headers: Record<string, string | undefined>;
}

export interface MessageSource {
  issuer: string;
  ipAddress: string | null;
  message: Pick<ProviderMessage, 'provider' | 'eventId' | 'occurredAt'>;
}

/** How one provider signs and formats its messages. */
export interface Provider {
  /**
   * Whether the request proves that its sender knows the secret. If the provider signs a timestamp, the request must
   * also be recent.
   */
  isAuthentic(request: SignedRequest, secret: string): boolean;
  /**
   * @throws DomainError `invalid` if the type of a message is known, but the message does not have the shape of that
   * type.
   */
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
 * Converts the name of a provider's role, with or without Clerk's prefix `org:`, to a role of Galley. An
 * ordinary member of an organization becomes an editor. A role with an unknown name becomes a viewer.
 */
export function parseRole(name: string): Role {
  const bareName = name.replace(/^org:/, '');
  // `basic_member` is Clerk's older name for `member`.
  if (bareName === 'member' || bareName === 'basic_member') return 'editor';
  return bareName === 'owner' || bareName === 'admin' || bareName === 'editor'
    ? bareName
    : 'viewer';
}
