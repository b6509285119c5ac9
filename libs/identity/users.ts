import { Injectable } from '@nestjs/common';
import { Database, noEvent, UnitOfWork, type Transaction } from '#database';
import { DomainError } from '#errors';
import { v7 as uuidv7 } from 'uuid';
import type { Actor } from './access.js';
import { acceptInvitations, lockEmail } from './invitations.js';

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

export interface Profile {
  email: string;
  firstName: string;
  lastName: string;
}

/** What a valid token says of its subject. */
export interface Claims extends Profile {
  /** In lower case; undefined unless the provider says that it has verified the address. */
  verifiedEmail?: string;
  issuedAt: Date;
}

// Issuers of users that are made here, and that no token may name.
const OUR_ISSUERS = 'urn:galley:';
/** Of the users as which API keys act. */
export const KEY_ISSUER = `${OUR_ISSUERS}key`;

// At some 200 bytes an entry, 2 MB at most.
const KNOWN_USERS = 10_000;

interface StoredUser {
  id: string;
  status: string;
  verifiedEmail: string | null;
  providerUpdatedAt: Date | null;
}

@Injectable()
export class Users {
  /** From issuer, subject and verified address to the id. Whether the user is active is not kept. */
  private readonly known = new Map<string, string>();

  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * The user of a valid token, who is created on first sight from the token's claims.
   * @param address where the call came from.
   * @throws DomainError `unauthorized` for a token that speaks in the name of a key or invitation.
   */
  async idOf(subject: Subject, claims: Claims, address: string): Promise<string> {
    if (subject.issuer.startsWith(OUR_ISSUERS)) throw DomainError.unauthorized();
    const key = JSON.stringify([subject.issuer, subject.subject, claims.verifiedEmail]);
    const userId = this.known.get(key) ?? (await this.meet(subject, claims, address));
    if (this.known.size >= KNOWN_USERS) this.known.clear();
    this.known.set(key, userId);
    return userId;
  }

  /** @throws DomainError `unauthorized` when the user is no longer active. */
  async me(actor: Actor): Promise<User> {
    const [user] = await this.database.query<User>(
      `SELECT id, email, first_name AS "firstName", last_name AS "lastName"
       FROM users WHERE id = $1 AND status = 'active'`,
      [actor.userId],
    );
    if (user === undefined) throw DomainError.unauthorized();
    return user;
  }

  private async meet(subject: Subject, claims: Claims, address: string): Promise<string> {
    const [stored] = await this.database.query<StoredUser>(
      `SELECT ${storedColumns} FROM users WHERE issuer = $1 AND subject = $2`,
      [subject.issuer, subject.subject],
    );
    if (stored && !saysMore(claims, stored)) return stored.id;
    return this.unitOfWork.write(async ({ query }) => {
      const { verifiedEmail } = claims;
      if (verifiedEmail !== undefined) await lockEmail(query, verifiedEmail);
      const [user] = await query<StoredUser>(
        // A row that a parallel first request has put in comes back as well.
        `INSERT INTO users AS stored (id, issuer, subject, email, first_name, last_name, verified_email)
         VALUES ($1, $2, $3, $4, $5, $6, $7)
         ON CONFLICT (issuer, subject) DO UPDATE SET verified_email = CASE
           WHEN stored.status = 'deleted' OR stored.provider_updated_at >= $8
           THEN stored.verified_email ELSE coalesce($7, stored.verified_email) END
         RETURNING ${storedColumns}`,
        [
          ...[uuidv7(), subject.issuer, subject.subject],
          ...[claims.email, claims.firstName, claims.lastName, verifiedEmail, claims.issuedAt],
        ],
      );
      if (user === undefined) throw new Error('PostgreSQL gave no row for an upserted user.');
      // What the provider itself has said since may be another one, whose lock is not held.
      const isTheirs = verifiedEmail !== undefined && user.verifiedEmail === verifiedEmail;
      if (isTheirs && user.status === 'active') {
        await acceptInvitations(query, { userId: user.id, address }, verifiedEmail);
      }
      return noEvent(user.id, 'users have no events');
    });
  }
}

const storedColumns = `id, status, verified_email AS "verifiedEmail",
  provider_updated_at AS "providerUpdatedAt"`;

/** What the provider says by itself is newer than any token that was issued before. */
const saysMore = ({ verifiedEmail, issuedAt }: Claims, stored: StoredUser): boolean =>
  verifiedEmail !== undefined &&
  verifiedEmail !== stored.verifiedEmail &&
  !(stored.providerUpdatedAt && stored.providerUpdatedAt >= issuedAt);

export interface UserChange extends Subject, Profile {
  status: 'active' | 'deactivated' | 'deleted';
  /** The provider's time of the change. Messages may come late or twice, and the newest one wins. */
  occurredAt: Date;
}

/** Applies what the identity provider says of a user, unless something newer is stored already. */
export async function applyUserChange(transaction: Transaction, change: UserChange): Promise<void> {
  // A deletion carries no profile and is final: it leaves a tombstone that no late update revives.
  await transaction.query(
    `INSERT INTO users AS stored
       (id, issuer, subject, email, first_name, last_name, status, provider_updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
     ON CONFLICT (issuer, subject) DO UPDATE SET
       email = EXCLUDED.email, first_name = EXCLUDED.first_name, last_name = EXCLUDED.last_name,
       status = EXCLUDED.status, provider_updated_at = EXCLUDED.provider_updated_at,
       updated_at = now()
     WHERE stored.status <> 'deleted' AND (
       EXCLUDED.status = 'deleted'
       OR stored.provider_updated_at IS NULL
       OR stored.provider_updated_at < EXCLUDED.provider_updated_at
     )`,
    [
      uuidv7(),
      change.issuer,
      change.subject,
      change.email,
      change.firstName,
      change.lastName,
      change.status,
      change.occurredAt,
    ],
  );
}
