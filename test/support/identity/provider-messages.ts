import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import type { ApiResponse } from '../api/api-response.js';
import type { Client } from '../api/client.js';

/** A change of a user, independent of the provider. */
export interface UserEvent {
  kind: 'created' | 'updated' | 'deleted';
  subject: string;
  /** Milliseconds since 1970. */
  at: number;
  firstName?: string;
  email?: string;
  emailVerified?: boolean;
  isBlocked?: boolean;
}

interface MembershipEvent {
  kind: 'created' | 'updated' | 'deleted';
  id: string;
  organization: string;
  subject: string;
  role: string;
  at: number;
}

interface OrganizationEvent {
  kind: 'created' | 'updated' | 'deleted';
  id: string;
  name: string;
  at: number;
}

/** A message with its id. If the provider sends the message again, the id stays the same. */
export interface Message {
  id: string;
  body: string;
}

/** A provider that sends messages as its documentation describes. */
export interface SendingProvider {
  name: string;
  secret: string;
  user(event: UserEvent): Message;
  membership?: (event: MembershipEvent) => Message;
  organization?: (event: OrganizationEvent) => Message;
  headers(message: Message, secret?: string, signedAt?: Date): Record<string, string>;
  /** Whether the signature covers a time. */
  hasTime: boolean;
}

const iso = (at: number) => new Date(at).toISOString();
const message = (id: string, body: object): Message => ({ id, body: JSON.stringify(body) });
const newId = (prefix: string) => `${prefix}_${randomUUID()}`;
const hmac = (secret: string, text: string) =>
  createHmac('sha256', secret).update(text).digest('hex');
const hex = () => randomBytes(16).toString('hex');

const clerkMessage = (type: string, at: number, data: object) =>
  message(newId('msg'), { object: 'event', type, timestamp: at, instance_id: 'ins_1', data });

export const clerk: SendingProvider = {
  name: 'clerk',
  secret: `whsec_${randomBytes(32).toString('base64')}`,
  hasTime: true,
  user({ kind, subject, at, firstName = 'Ada', email = `${subject}@example.com`, ...rest }) {
    if (kind === 'deleted') {
      return clerkMessage('user.deleted', at, { object: 'user', id: subject, deleted: true });
    }
    const verification = { status: rest.emailVerified ? 'verified' : 'unverified' };
    return clerkMessage(`user.${kind}`, at, {
      object: 'user',
      id: subject,
      primary_email_address_id: 'idn_1',
      email_addresses: [{ id: 'idn_1', email_address: email, verification, linked_to: [] }],
      first_name: firstName,
      last_name: null,
      banned: rest.isBlocked ?? false,
      created_at: 1,
      updated_at: at,
    });
  },
  membership({ kind, id, organization, subject, role, at }) {
    return clerkMessage(`organizationMembership.${kind}`, at, {
      object: 'organization_membership',
      id,
      role: `org:${role}`,
      organization: { object: 'organization', id: organization, name: organization, updated_at: 1 },
      public_user_data: { user_id: subject, identifier: 'x@example.com', first_name: null },
      created_at: 1,
      updated_at: at,
    });
  },
  organization({ kind, id, name, at }) {
    const data = { object: 'organization', id, name, slug: 'x', created_at: 1, updated_at: at };
    const gone = { object: 'organization', id, deleted: true };
    return clerkMessage(`organization.${kind}`, at, kind === 'deleted' ? gone : data);
  },
  headers({ id, body }, secret = clerk.secret, signedAt = new Date()) {
    return {
      'svix-id': id,
      'svix-timestamp': String(Math.floor(signedAt.getTime() / 1000)),
      'svix-signature': new Webhook(secret).sign(id, signedAt, body),
    };
  },
};

const workosMessage = (event: string, at: number, data: object) => {
  const id = newId('event');
  return message(id, { object: 'event', id, event, created_at: iso(at), context: {}, data });
};

export const workos: SendingProvider = {
  name: 'workos',
  secret: hex(),
  hasTime: true,
  user({ kind, subject, at, firstName = 'Ada', email = `${subject}@example.com`, ...rest }) {
    return workosMessage(`user.${kind}`, at, {
      object: 'user',
      id: subject,
      email,
      email_verified: rest.emailVerified ?? false,
      first_name: firstName,
      last_name: null,
      metadata: {},
      created_at: iso(1),
      updated_at: iso(at),
    });
  },
  membership({ kind, id, organization, subject, role, at }) {
    return workosMessage(`organization_membership.${kind}`, at, {
      object: 'organization_membership',
      id,
      user_id: subject,
      status: 'active',
      organization_id: organization,
      role: { slug: role },
      created_at: iso(1),
      updated_at: iso(at),
    });
  },
  organization({ kind, id, name, at }) {
    const data = { object: 'organization', id, name, domains: [], updated_at: iso(at) };
    return workosMessage(`organization.${kind}`, at, data);
  },
  headers({ body }, secret = workos.secret, signedAt = new Date()) {
    const time = signedAt.getTime();
    return { 'workos-signature': `t=${time}, v1=${hmac(secret, `${time}.${body}`)}` };
  },
};

const auth0: SendingProvider = {
  name: 'auth0',
  secret: hex(),
  hasTime: false,
  user({ kind, subject, at, firstName = 'Ada', email = `${subject}@example.com`, ...rest }) {
    const id = newId('evt');
    return message(id, {
      id,
      source: 'urn:auth0:acme.auth0app.com',
      specversion: '1.0',
      type: `user.${kind}`,
      time: iso(at),
      data: {
        object: {
          user_id: subject,
          email,
          email_verified: rest.emailVerified ?? false,
          given_name: firstName,
          identities: [],
          blocked: rest.isBlocked ?? false,
          created_at: iso(1),
          updated_at: iso(at),
          ...(kind === 'deleted' && { deleted_at: iso(at) }),
        },
        context: {},
      },
      a0tenant: 'acme',
      a0stream: 'est_1',
    });
  },
  headers: (_message, secret = auth0.secret) => ({ authorization: `Bearer ${secret}` }),
};

const LOGTO_TYPES = {
  created: 'User.Created',
  updated: 'User.Data.Updated',
  deleted: 'User.Deleted',
};

export const logto: SendingProvider = {
  name: 'logto',
  secret: hex(),
  hasTime: false,
  user({ kind, subject, at, firstName = 'Ada', email = `${subject}@example.com`, ...rest }) {
    // When Logto repeats a message, all bytes are the same. Messages about two changes differ at least in the
    // session id.
    const id = newId('session');
    return message(id, {
      hookId: 'hook',
      event: LOGTO_TYPES[kind],
      createdAt: iso(at),
      sessionId: id,
      params: { userId: subject },
      data: {
        id: subject,
        username: null,
        primaryEmail: email,
        name: firstName,
        isSuspended: rest.isBlocked ?? false,
        createdAt: 1,
        updatedAt: at,
      },
    });
  },
  headers: ({ body }, secret = logto.secret) => ({
    'logto-signature-sha-256': hmac(secret, body),
  }),
};

export const allProviders = [clerk, workos, auth0, logto];

export const send = (
  client: Client,
  provider: SendingProvider,
  sent: Message,
  headers: Record<string, string> = provider.headers(sent),
): Promise<ApiResponse> =>
  client.raw('POST', '/api/auth/webhook', sent.body, {
    'content-type': 'application/json',
    ...headers,
  });
