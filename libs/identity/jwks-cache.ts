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

// Long enough that the provider gets few requests, and short enough that a withdrawn key soon stops working.
const MAX_AGE_MS = 10 * 60_000;
// An unknown key id makes Galley fetch the keys again, but only once in this time, however many unknown key ids arrive.
// Galley also waits this long after a failed fetch.
const COOLDOWN_MS = 30_000;
const TIMEOUT_MS = 5_000;

type KeySource = Pick<IdentityOptions, 'issuer' | 'jwksUri'>;

/**
 * Caches the issuer's public keys. A request makes Galley fetch the keys if there are none yet, if the keys are older
 * than ten minutes, or if the token has an unknown key id.
 */
@Injectable()
export class JwksCache {
  private readonly logger = new Logger(JwksCache.name);
  private keySet: RemoteJWKSet | undefined;
  private pendingRefresh: Promise<void> | undefined;
  // The next three times are in milliseconds since 1970.
  private fetchedAt = 0;
  /** The earliest time for the next fetch after a failure. */
  private retryAt = 0;
  /** The earliest time at which an unknown key id may cause another fetch. */
  private unknownKeyRefreshAt = 0;
  private isUnavailable = false;

  constructor(@Inject(IDENTITY_OPTIONS) private readonly options: IdentityOptions) {}

  /**
   * @throws an error from jose if the token is malformed, or if it matches none or several of the issuer's keys;
   * DomainError `unavailable` if the issuer's keys cannot be fetched.
   */
  async getKey(token: string): Promise<CryptoKey> {
    const header = decodeProtectedHeader(token) as JWTHeaderParameters;
    const keySet = await this.loadKeySet();
    try {
      return await keySet(header);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      if (Date.now() >= this.unknownKeyRefreshAt) {
        this.unknownKeyRefreshAt = Date.now() + COOLDOWN_MS;
        void this.refresh();
      }
      // Requests that arrive while the keys are being fetched wait for the same response.
      if (this.pendingRefresh) await this.pendingRefresh;
      else if (!this.isUnavailable) throw error;
      if (this.isUnavailable) throw unavailableError();
      return keySet(header);
    }
  }

  /** Known keys stay valid while newer ones are fetched, and while the provider is down. */
  private async loadKeySet(): Promise<RemoteJWKSet> {
    const age = Date.now() - this.fetchedAt;
    const refreshed = age > MAX_AGE_MS ? this.refresh() : undefined;
    // Waits for the refresh if no request has needed a key for a long time, because the issuer may have
    // withdrawn a key since.
    if (this.fetchedAt === 0 || (age > 2 * MAX_AGE_MS && !this.isUnavailable)) await refreshed;
    if (this.keySet === undefined || this.fetchedAt === 0) throw unavailableError();
    return this.keySet;
  }

  /** Fetches the keys, unless a fetch has just failed. Never rejects. */
  private refresh(): Promise<void> {
    if (Date.now() < this.retryAt) return Promise.resolve();
    return (this.pendingRefresh ??= this.fetchKeySet().finally(
      () => (this.pendingRefresh = undefined),
    ));
  }

  private async fetchKeySet(): Promise<void> {
    try {
      this.keySet ??= await createKeySet(this.options);
      await this.keySet.reload();
      this.fetchedAt = Date.now();
      this.isUnavailable = false;
    } catch (error) {
      this.retryAt = Date.now() + COOLDOWN_MS;
      this.isUnavailable = true;
      this.logger.error(
        { err: error, stage: 'signing keys' },
        'The keys of the identity provider could not be fetched; known keys keep working.',
      );
    }
  }
}

async function createKeySet({ jwksUri, issuer = '' }: KeySource): Promise<RemoteJWKSet> {
  const url = jwksUri ?? (await discoverJwksUri(issuer));
  return createRemoteJWKSet(new URL(url), {
    // JwksCache decides when the keys are fetched again.
    cacheMaxAge: Infinity,
    cooldownDuration: Infinity,
    timeoutDuration: TIMEOUT_MS,
  });
}

/**
 * Fetches the keys once and returns how many there are.
 * @throws if the issuer cannot be discovered, or its keys cannot be fetched.
 */
export async function countSigningKeys(source: KeySource): Promise<number> {
  const keySet = await createKeySet(source);
  await keySet.reload();
  return keySet.jwks()?.keys.length ?? 0;
}

const unavailableError = () =>
  DomainError.unavailable(
    'Galley cannot verify tokens, because the keys of the identity provider are unavailable. Retry later.',
  );

/** Follows OpenID Connect Discovery 1.0, section 4. */
async function discoverJwksUri(issuer: string): Promise<string> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  const document = (await response.json()) as { issuer?: unknown; jwks_uri?: unknown };
  if (!response.ok) throw new Error(`${url} responded with status ${response.status}.`);
  if (typeof document.jwks_uri !== 'string') {
    throw new Error(`The response from ${url} contains no jwks_uri.`);
  }
  if (document.issuer !== issuer) {
    throw new Error(
      `AUTH_ISSUER is ${issuer}, but ${url} says that the issuer is ${String(document.issuer)}: set AUTH_ISSUER to that issuer.`,
    );
  }
  return document.jwks_uri;
}
