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
  private keySet: Promise<RemoteJWKSet> | undefined;
  /** By algorithm and key id. They keep serving while the provider is down. */
  private readonly lastGood = new Map<string, CryptoKey>();
  /** When the provider, having failed, is asked again; in milliseconds since 1970. */
  private askAgainAt = 0;
  /** When an unknown key id may ask again, and what the last one that did waits for. */
  private refetchAt = 0;
  private refetching: Promise<void> | undefined;
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
    const name = `${header.alg} ${header.kid ?? ''}`;
    // While the provider is away it is not asked for every token anew.
    if (Date.now() >= this.askAgainAt) {
      try {
        const keySet = await (this.keySet ??= this.discover());
        const key = await this.lookUp(keySet, header);
        this.lastGood.set(name, key);
        return key;
      } catch (error) {
        if (error instanceof errors.JWKSNoMatchingKey) this.lastGood.delete(name);
        if (!isOfProvider(error)) throw error;
        this.askAgainAt = Date.now() + COOLDOWN_MS;
        this.logger.error({ err: error, stage: 'signing keys' });
      }
    }
    const known = this.lastGood.get(name);
    if (known) return known;
    throw DomainError.unavailable('The keys that verify tokens cannot be had right now.');
  }

  private async lookUp(keySet: RemoteJWKSet, header: JWTHeaderParameters): Promise<CryptoKey> {
    try {
      return await keySet(header);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      if (Date.now() >= this.refetchAt) {
        this.refetchAt = Date.now() + COOLDOWN_MS;
        this.refetching = keySet.reload().finally(() => (this.refetching = undefined));
      }
      // Whoever comes while the keys are on their way finds theirs among them, too.
      if (this.refetching === undefined) throw error;
      await this.refetching;
      return keySet(header);
    }
  }

  private async discover(): Promise<RemoteJWKSet> {
    try {
      const url = this.options.jwksUri ?? (await jwksUriOf(this.options.issuer ?? ''));
      return createRemoteJWKSet(new URL(url), {
        cacheMaxAge: KEYS_LIVE_MS,
        // `lookUp` decides, so that the first rotation after a start is seen at once as well.
        cooldownDuration: Infinity,
        timeoutDuration: TIMEOUT_MS,
      });
    } catch (error) {
      this.keySet = undefined;
      throw error;
    }
  }
}

/** What jose says of a token is the caller's fault; that the keys cannot be had is the provider's. */
const isOfProvider = (error: unknown): boolean =>
  !(error instanceof errors.JOSEError) ||
  error.code === errors.JOSEError.code ||
  error instanceof errors.JWKSTimeout ||
  error instanceof errors.JWKSInvalid;

/** OpenID Connect Discovery 1.0, section 4. */
async function jwksUriOf(issuer: string): Promise<string> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  const document = (await response.json()) as { jwks_uri?: unknown };
  if (!response.ok || typeof document.jwks_uri !== 'string') {
    throw new Error(`${url} answered ${response.status} without a jwks_uri.`);
  }
  return document.jwks_uri;
}
