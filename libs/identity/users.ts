import { Injectable } from '@nestjs/common';
import { Database, noEvent, UnitOfWork, type Query, type Transaction } from '#database';
import { DomainError } from '#errors';
import { v7 as uuidv7 } from 'uuid';
import type { Actor } from './access.js';
import { acceptInvitations, invitationOf, lockEmail, normalEmail } from './invitations.js';
import type { ProviderUser, Source } from './providers/provider.js';

export interface User {
  id: string;
  email: string;
  firstName: string;
  lastName: string;
}

/** Who a token or the identity provider speaks of. A user is known by issuer and subject together. */
export interface Subject {
  issuer: string;
  subject: string;
}

interface Profile {
  email: string;
  firstName: string;
  lastName: string;
}

/** What a valid token says of its subject. */
export interface Claims extends Profile {
  emailVerified: boolean;
  issuedAt: Date;
}

// Issuers of users that are made here, and that no token may name.
const OUR_ISSUERS = 'urn:galley:';
/** Of the users as which API keys act. */
export const KEY_ISSUER = `${OUR_ISSUERS}key`;

interface StoredUser {
  id: string;
  status: string;
  verifiedEmail: string | null;
  /** When the provider last said whether it has verified the address of this user, and which. */
  emailSaidAt: Date | null;
}

@Injectable()
export class Users {
  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * The user of a valid token, who is created on first sight from the token's claims.
   * @param address where the call came from.
   * @throws DomainError `unauthorized` for a token that speaks in the name of a key or invitation.
   */
  async idOf(subject: Subject, claims: Claims, address: string | null): Promise<string> {
    if (subject.issuer.startsWith(OUR_ISSUERS)) {
      throw DomainError.unauthorized('The token is from another issuer.');
    }
    const [stored] = await this.database.query<StoredUser & { isInvited: boolean }>(
      `SELECT ${storedColumns}, ${invitationOf('users.verified_email')} AS "isInvited"
       FROM users WHERE issuer = $1 AND subject = $2`,
      [subject.issuer, subject.subject],
    );
    const isKnown = stored && !stored.isInvited && !saysMore(claims, stored);
    return isKnown ? stored.id : this.meet(subject, claims, address, stored);
  }

  /** @throws DomainError `unauthorized` when the user is no longer active. */
  async me(actor: Actor): Promise<User> {
    const [user] = await this.database.query<User>(
      `SELECT id, email, first_name AS "firstName", last_name AS "lastName"
       FROM users WHERE id = $1 AND status = 'active'`,
      [actor.userId],
    );
    if (user === undefined) throw DomainError.inactive();
    return user;
  }

  private meet(
    subject: Subject,
    claims: Claims,
    address: string | null,
    stored?: StoredUser,
  ): Promise<string> {
    const said = verifiedEmailOf(claims);
    const email = said ?? stored?.verifiedEmail ?? null;
    return this.unitOfWork.write(async ({ query }) => {
      if (email !== null) await lockEmail(query, email);
      const [user] = await query<StoredUser>(
        // A row that a parallel first request has put in comes back as well.
        `INSERT INTO users AS stored
           (id, issuer, subject, email, first_name, last_name, verified_email, email_said_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
         ON CONFLICT (issuer, subject) DO UPDATE SET
           verified_email = CASE WHEN ${saidLater} THEN $7 ELSE stored.verified_email END,
           email_said_at = CASE WHEN ${saidLater} THEN $8 ELSE stored.email_said_at END
         RETURNING ${storedColumns}`,
        [
          ...[uuidv7(), subject.issuer, subject.subject, claims.email, claims.firstName],
          ...[claims.lastName, said, claims.email === '' ? null : claims.issuedAt],
        ],
      );
      if (user === undefined) throw new Error('PostgreSQL gave no row for an upserted user.');
      // What somebody else has said meanwhile may be another address, whose lock is not held.
      if (email !== null && user.verifiedEmail === email && user.status === 'active') {
        await acceptInvitations(query, { userId: user.id, address }, email);
      }
      return noEvent(user.id, 'users have no events');
    });
  }
}

const storedColumns = `id, status, verified_email AS "verifiedEmail",
  email_said_at AS "emailSaidAt"`;

/** $8 is when something is said of the address. */
const saidLater = `stored.status <> 'deleted'
  AND $8::timestamptz >= coalesce(stored.email_said_at, '-infinity')`;

/** A token without an address says nothing of one, and an old one nothing that counts. */
const saysMore = (claims: Claims, { verifiedEmail, emailSaidAt }: StoredUser): boolean =>
  claims.email !== '' &&
  verifiedEmailOf(claims) !== verifiedEmail &&
  (emailSaidAt === null || claims.issuedAt >= emailSaidAt);

const verifiedEmailOf = ({ email, emailVerified }: Pick<Claims, 'email' | 'emailVerified'>) =>
  emailVerified && email !== '' ? normalEmail(email) : null;

/** The user of a subject of whom only the provider has told so far, kept as they are until the transaction ends. */
export async function ensureUser(
  query: Query,
  { issuer, subject }: Subject,
): Promise<Pick<StoredUser, 'id' | 'status'>> {
  const [user] = await query<Pick<StoredUser, 'id' | 'status'>>(
    `INSERT INTO users AS stored (id, issuer, subject) VALUES ($1, $2, $3)
     ON CONFLICT (issuer, subject) DO UPDATE SET status = stored.status RETURNING id, status`,
    [uuidv7(), issuer, subject],
  );
  if (user === undefined) throw new Error('PostgreSQL gave no row for an upserted user.');
  return user;
}

/** Applies what the identity provider says of a user, unless something newer is stored already. */
export async function applyUser(
  transaction: Transaction,
  { issuer, address, message }: Source,
  user: ProviderUser,
): Promise<void> {
  const { query } = transaction;
  const verifiedEmail = verifiedEmailOf(user);
  if (verifiedEmail !== null) await lockEmail(query, verifiedEmail);
  // A deletion carries no profile and is final: it leaves a tombstone that no late update revives.
  const [applied] = await query<StoredUser>(
    `INSERT INTO users AS stored (id, issuer, subject, email, first_name, last_name, status,
       provider_updated_at, provider_event_id, verified_email, email_said_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $8)
     ON CONFLICT (issuer, subject) DO UPDATE SET
       email = EXCLUDED.email, first_name = EXCLUDED.first_name, last_name = EXCLUDED.last_name,
       status = EXCLUDED.status, provider_updated_at = EXCLUDED.provider_updated_at,
       provider_event_id = EXCLUDED.provider_event_id, updated_at = now(),
       verified_email = CASE WHEN EXCLUDED.status = 'deleted' THEN NULL
         WHEN ${saidLater} THEN EXCLUDED.verified_email ELSE stored.verified_email END,
       email_said_at = CASE WHEN ${saidLater} THEN $8 ELSE stored.email_said_at END
     WHERE stored.status <> 'deleted' AND (
       EXCLUDED.status = 'deleted'
       OR stored.provider_updated_at IS NULL
       OR (stored.provider_updated_at, stored.provider_event_id)
         < (EXCLUDED.provider_updated_at, EXCLUDED.provider_event_id)
     )
     RETURNING ${storedColumns}`,
    [
      ...[uuidv7(), issuer, user.subject, user.email, user.firstName, user.lastName],
      ...[user.status, message.occurredAt, message.eventId, verifiedEmail],
    ],
  );
  if (applied === undefined) return;
  if (user.status === 'deleted') await leaveAll(transaction, applied.id, address, message.provider);
  const isTheirs = verifiedEmail !== null && applied.verifiedEmail === verifiedEmail;
  if (isTheirs && user.status === 'active') {
    await acceptInvitations(query, { userId: applied.id, address }, verifiedEmail);
  }
}

async function leaveAll(
  { query }: Transaction,
  userId: string,
  address: string | null,
  provider: string,
): Promise<void> {
  await query(
    `WITH membership AS (
       DELETE FROM workspace_members WHERE user_id = $1 RETURNING workspace_id, role
     )
     INSERT INTO audit_entries (id, workspace_id, action, address, target_id, details)
     SELECT uuidv7_at(now()), workspace_id, 'member.removed', $2, $1,
       json_build_object('role', role, 'by', $3::text) FROM membership`,
    [userId, address, provider],
  );
}
