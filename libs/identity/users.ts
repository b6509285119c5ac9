import { Injectable } from '@nestjs/common';
import { Database, noEvent, UnitOfWork, type Query, type Transaction } from '#database';
import { DomainError } from '#errors';
import {
  acceptInvitations,
  hasInvitation,
  INTERNAL_ISSUER_PREFIX,
  lockEmail,
  normalizeEmail,
  removeFromAllWorkspaces,
  type Actor,
} from '#workspaces';
import { v7 as uuidv7 } from 'uuid';
import type { ProviderUser, MessageSource } from './providers/provider.js';

export interface User {
  id: string;
  email: string;
  firstName: string;
  lastName: string;
}

/** Identifies a user in tokens and messages of the identity provider. A subject is unique only within its issuer. */
export interface Subject {
  issuer: string;
  subject: string;
}

interface Profile {
  email: string;
  firstName: string;
  lastName: string;
}

/** The claims that Galley reads from a token. */
interface Claims extends Profile {
  emailVerified: boolean;
  issuedAt: Date;
}

/** The contents of a token that the API has verified. */
export interface TokenSubject {
  subject: Subject;
  claims: Claims;
}

interface StoredUser {
  id: string;
  status: string;
  verifiedEmail: string | null;
  /**
   * When the identity provider reported the stored email address. A token that repeats the address does not change this
   * time.
   */
  emailReportedAt: Date | null;
}

@Injectable()
export class Users {
  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Returns the id of the user whom a valid token names. The first token of a user creates the user from its claims.
   *
   * @param ipAddress the address that the request came from.
   * @throws DomainError `unauthorized` if the token names an internal issuer: only the users of API keys and
   * invitations have internal issuers.
   */
  async resolveId(subject: Subject, claims: Claims, ipAddress: string | null): Promise<string> {
    if (subject.issuer.startsWith(INTERNAL_ISSUER_PREFIX)) {
      throw DomainError.unauthorized('The token is from another issuer.');
    }
    const [stored] = await this.database.query<StoredUser & { isInvited: boolean }>(
      `SELECT ${STORED_USER_COLUMNS}, ${hasInvitation('users.verified_email')} AS "isInvited"
       FROM users WHERE issuer = $1 AND subject = $2`,
      [subject.issuer, subject.subject],
    );
    const isUpToDate = stored && !stored.isInvited && !hasNewerEmail(claims, stored);
    return isUpToDate ? stored.id : this.upsertFromToken(subject, claims, ipAddress, stored);
  }

  /** @throws DomainError `unauthorized` if the user is no longer active. */
  async me(actor: Actor): Promise<User> {
    const [user] = await this.database.query<User>(
      `SELECT id, email, first_name AS "firstName", last_name AS "lastName"
       FROM users WHERE id = $1 AND status = 'active'`,
      [actor.userId],
    );
    if (user === undefined) throw DomainError.inactive();
    return user;
  }

  private upsertFromToken(
    subject: Subject,
    claims: Claims,
    ipAddress: string | null,
    stored?: StoredUser,
  ): Promise<string> {
    const verifiedEmail = verifiedEmailOf(claims);
    const email = verifiedEmail ?? stored?.verifiedEmail ?? null;
    return this.unitOfWork.write(async ({ query }) => {
      if (email !== null) await lockEmail(query, email);
      const [user] = await query<StoredUser>(
        // Also returns a row that exists already, for example from a parallel first request.
        `INSERT INTO users AS stored
           (id, issuer, subject, email, first_name, last_name, verified_email, email_said_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
         ON CONFLICT (issuer, subject) DO UPDATE SET
           verified_email = CASE WHEN ${IS_EMAIL_NEWER} THEN $7 ELSE stored.verified_email END,
           email_said_at = CASE WHEN ${IS_EMAIL_NEWER} THEN $8 ELSE stored.email_said_at END
         RETURNING ${STORED_USER_COLUMNS}`,
        [
          uuidv7(),
          subject.issuer,
          subject.subject,
          claims.email,
          claims.firstName,
          claims.lastName,
          verifiedEmail,
          claims.email === '' ? null : claims.issuedAt,
        ],
      );
      if (user === undefined) throw new Error('PostgreSQL returned no row for an upserted user.');
      // Accepts invitations only for the locked address. Another token or message may have stored a different address
      // since `stored` was read.
      if (email !== null && user.verifiedEmail === email && user.status === 'active') {
        await acceptInvitations(query, { userId: user.id, ipAddress }, email);
      }
      return noEvent(user.id, 'users have no events');
    });
  }
}

const STORED_USER_COLUMNS = `id, status, verified_email AS "verifiedEmail",
  email_said_at AS "emailReportedAt"`;

/** An SQL condition. `$8` is the time at which the email address was reported. */
const IS_EMAIL_NEWER = `stored.status <> 'deleted'
  AND $8::timestamptz >= coalesce(stored.email_said_at, '-infinity')`;

/**
 * Whether a token reports something new about the verified email address. A token without an address reports nothing,
 * and a token that is older than the last report is ignored.
 */
const hasNewerEmail = (claims: Claims, { verifiedEmail, emailReportedAt }: StoredUser): boolean =>
  claims.email !== '' &&
  verifiedEmailOf(claims) !== verifiedEmail &&
  (emailReportedAt === null || claims.issuedAt >= emailReportedAt);

const verifiedEmailOf = ({ email, emailVerified }: Pick<Claims, 'email' | 'emailVerified'>) =>
  emailVerified && email !== '' ? normalizeEmail(email) : null;

/**
 * Returns the user of a subject, and locks the user until the transaction ends. Creates the user if Galley does not
 * know the subject yet.
 */
export async function ensureUser(
  query: Query,
  { issuer, subject }: Subject,
): Promise<Pick<StoredUser, 'id' | 'status'>> {
  const [user] = await query<Pick<StoredUser, 'id' | 'status'>>(
    `INSERT INTO users AS stored (id, issuer, subject) VALUES ($1, $2, $3)
     ON CONFLICT (issuer, subject) DO UPDATE SET status = stored.status RETURNING id, status`,
    [uuidv7(), issuer, subject],
  );
  if (user === undefined) throw new Error('PostgreSQL returned no row for an upserted user.');
  return user;
}

/** Stores what the identity provider reports about a user, unless newer data is already stored. */
export async function applyUser(
  transaction: Transaction,
  { issuer, ipAddress, message }: MessageSource,
  user: ProviderUser,
): Promise<void> {
  const { query } = transaction;
  const verifiedEmail = verifiedEmailOf(user);
  if (verifiedEmail !== null) await lockEmail(query, verifiedEmail);
  // A deletion carries no profile and is final: it leaves a tombstone that no late update reverts.
  const [applied] = await query<StoredUser>(
    `INSERT INTO users AS stored (id, issuer, subject, email, first_name, last_name, status,
       provider_updated_at, provider_event_id, verified_email, email_said_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $8)
     ON CONFLICT (issuer, subject) DO UPDATE SET
       email = EXCLUDED.email, first_name = EXCLUDED.first_name, last_name = EXCLUDED.last_name,
       status = EXCLUDED.status, provider_updated_at = EXCLUDED.provider_updated_at,
       provider_event_id = EXCLUDED.provider_event_id, updated_at = now(),
       verified_email = CASE WHEN EXCLUDED.status = 'deleted' THEN NULL
         WHEN ${IS_EMAIL_NEWER} THEN EXCLUDED.verified_email ELSE stored.verified_email END,
       email_said_at = CASE WHEN ${IS_EMAIL_NEWER} THEN $8 ELSE stored.email_said_at END
     WHERE stored.status <> 'deleted' AND (
       EXCLUDED.status = 'deleted'
       OR stored.provider_updated_at IS NULL
       OR (stored.provider_updated_at, stored.provider_event_id)
         < (EXCLUDED.provider_updated_at, EXCLUDED.provider_event_id)
     )
     RETURNING ${STORED_USER_COLUMNS}`,
    [
      uuidv7(),
      issuer,
      user.subject,
      user.email,
      user.firstName,
      user.lastName,
      user.status,
      message.occurredAt,
      message.eventId,
      verifiedEmail,
    ],
  );
  if (applied === undefined) return;
  if (user.status === 'deleted')
    await removeFromAllWorkspaces(transaction, applied.id, ipAddress, message.provider);
  const ownsVerifiedEmail = verifiedEmail !== null && applied.verifiedEmail === verifiedEmail;
  if (ownsVerifiedEmail && user.status === 'active') {
    await acceptInvitations(query, { userId: applied.id, ipAddress }, verifiedEmail);
  }
}
