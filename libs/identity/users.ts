import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '#database';
import { DomainError } from '#errors';
import { v7 as uuidv7 } from 'uuid';
import type { Actor } from './access.js';

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

/** Of the users as which API keys act. Nobody gets a token for one. */
export const KEY_ISSUER = 'urn:galley:key';

// At some 200 bytes an entry, 2 MB at most.
const KNOWN_USERS = 10_000;

@Injectable()
export class Users {
  /** From issuer and subject to the id, which never changes. Whether the user is active does. */
  private readonly known = new Map<string, string>();

  constructor(private readonly database: Database) {}

  /**
   * The user of a valid token, who is created on first sight from the token's claims.
   * @throws DomainError `unauthorized` for a token that speaks in the name of a key.
   */
  async idOf(subject: Subject, profile: Profile): Promise<string> {
    if (subject.issuer === KEY_ISSUER) throw DomainError.unauthorized();
    const key = JSON.stringify([subject.issuer, subject.subject]);
    const userId = this.known.get(key) ?? (await this.findOrCreate(subject, profile));
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

  private async findOrCreate({ issuer, subject }: Subject, profile: Profile): Promise<string> {
    const find = 'SELECT id FROM users WHERE issuer = $1 AND subject = $2';
    const [found] = await this.database.query<{ id: string }>(find, [issuer, subject]);
    if (found) return found.id;
    // The update changes nothing; it makes a row that a parallel first request has put in come back.
    const [created] = await this.database.query<{ id: string }>(
      `INSERT INTO users (id, issuer, subject, email, first_name, last_name)
       VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (issuer, subject) DO UPDATE SET issuer = EXCLUDED.issuer
       RETURNING id`,
      [uuidv7(), issuer, subject, profile.email, profile.firstName, profile.lastName],
    );
    if (created === undefined) throw new Error('PostgreSQL gave no row for an upserted user.');
    return created.id;
  }
}

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
