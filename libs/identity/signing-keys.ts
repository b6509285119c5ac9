import { KeyObject } from 'node:crypto';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { DomainError } from '#errors';
import {
  createRemoteJWKSet,
  decodeProtectedHeader,
  errors,
  type CryptoKey,
  type JWTHeaderParameters,
  type RemoteJWKSet,
} from 'jose';
import { IDENTITY_OPTIONS, type IdentityOptions } from './identity.options.js';

// Long enough that the provider is hardly asked, short enough that a withdrawn key soon stops working.
const KEYS_LIVE_MS = 10 * 60_000;
// An unknown key id asks the provider again, but a flood of them asks no more often than this. Nor is
// a provider that is down asked more often.
const COOLDOWN_MS = 30_000;
const TIMEOUT_MS = 5_000;

/** The issuer's public keys, fetched when first needed and again when an unknown key id appears. */
@Injectable()
export class SigningKeys {
  private readonly logger = new Logger(SigningKeys.name);
  private keySet: RemoteJWKSet | undefined;
  private fetching: Promise<void> | undefined;
  // All in milliseconds since 1970.
  private fetchedAt = 0;
  /** When the provider, having failed, is asked again. */
  private askAgainAt = 0;
  /** When an unknown key id may have the keys fetched again. */
  private refetchAt = 0;
  private isAway = false;
  /** passport-jwt wants key objects, and would parse a PEM again for every request. */
  private readonly keyObjects = new WeakMap<CryptoKey, KeyObject>();

  constructor(@Inject(IDENTITY_OPTIONS) private readonly options: IdentityOptions) {}

  /**
   * @throws jose's errors when the token is malformed or no key of the issuer fits it, DomainError
   * `unavailable` when the issuer does not give its keys.
   */
  async keyOf(token: string): Promise<KeyObject> {
    const key = await this.find(decodeProtectedHeader(token) as JWTHeaderParameters);
    const known = this.keyObjects.get(key);
    if (known) return known;
    const keyObject = KeyObject.from(key);
    this.keyObjects.set(key, keyObject);
    return keyObject;
  }

  private async find(header: JWTHeaderParameters): Promise<CryptoKey> {
    const keySet = await this.keys();
    try {
      return await keySet(header);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      if (Date.now() >= this.refetchAt) {
        this.refetchAt = Date.now() + COOLDOWN_MS;
        void this.fetch();
      }
      // Whoever comes while the keys are on their way finds theirs among them, too.
      if (this.fetching) await this.fetching;
      else if (!this.isAway) throw error;
      if (this.isAway) throw unavailable();
      return keySet(header);
    }
  }

  /** Known keys go on serving while newer ones are fetched, and while the provider is away. */
  private async keys(): Promise<RemoteJWKSet> {
    const age = Date.now() - this.fetchedAt;
    const fetched = age > KEYS_LIVE_MS ? this.fetch() : undefined;
    // Of keys that nobody has asked for in a long time one may be withdrawn.
    if (this.fetchedAt === 0 || (age > 2 * KEYS_LIVE_MS && !this.isAway)) await fetched;
    if (this.keySet === undefined || this.fetchedAt === 0) throw unavailable();
    return this.keySet;
  }

  /** Asks the provider, unless it has just failed. It never rejects. */
  private fetch(): Promise<void> {
    if (Date.now() < this.askAgainAt) return Promise.resolve();
    return (this.fetching ??= this.ask().finally(() => (this.fetching = undefined)));
  }

  private async ask(): Promise<void> {
    try {
      this.keySet ??= await this.discover();
      await this.keySet.reload();
      this.fetchedAt = Date.now();
      this.isAway = false;
    } catch (error) {
      this.askAgainAt = Date.now() + COOLDOWN_MS;
      this.isAway = true;
      this.logger.error({ err: error, stage: 'signing keys' });
    }
  }

  private async discover(): Promise<RemoteJWKSet> {
    const url = this.options.jwksUri ?? (await jwksUriOf(this.options.issuer ?? ''));
    return createRemoteJWKSet(new URL(url), {
      // When they are fetched again is decided here.
      cacheMaxAge: Infinity,
      cooldownDuration: Infinity,
      timeoutDuration: TIMEOUT_MS,
    });
  }
}

const unavailable = () =>
  DomainError.unavailable('The keys that verify tokens cannot be had right now.');

/** OpenID Connect Discovery 1.0, section 4. */
async function jwksUriOf(issuer: string): Promise<string> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  const document = (await response.json()) as { issuer?: unknown; jwks_uri?: unknown };
  if (!response.ok || typeof document.jwks_uri !== 'string') {
    throw new Error(`${url} answered ${response.status} without a jwks_uri.`);
  }
  if (document.issuer !== issuer) {
    throw new Error(
      `AUTH_ISSUER is ${issuer}, but ${url} says that the issuer is ${String(document.issuer)}: set AUTH_ISSUER to that.`,
    );
  }
  return document.jwks_uri;
}
