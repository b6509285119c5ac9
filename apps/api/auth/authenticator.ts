import { Injectable, Logger } from '@nestjs/common';
import { DomainError } from '#errors';
import { Users } from '#identity';
import { ApiKeys, isApiKey } from '#workspaces';
import { Admission } from '../admission/admission.js';
import { ipAddressOf, networkOf } from '../http/ip-address.js';
import type { Caller, CallerRequest } from '../http/caller.js';
import { bearerToken, hasBearerToken } from '../http/bearer-token.js';
import { describeTokenError } from './token-error.js';
import { TokenVerifier, type VerifiedToken } from './token-verifier.js';
import { VerifiedTokens } from './verified-tokens.js';

const MALFORMED_HEADER = 'Send exactly one Authorization header, in the form: Bearer <token>.';

interface VerifiedCaller extends Caller {
  /** Milliseconds since 1970. */
  expiresAtMs: number;
}

/**
 * Identifies the caller of a request; nothing else sets `request.user`. Verifies tokens and API keys, and remembers the
 * valid ones for a minute. `TokenCheck` decides which requests must be authenticated.
 */
@Injectable()
export class Authenticator {
  private readonly logger = new Logger(Authenticator.name);
  private readonly verifiedTokens = new VerifiedTokens();
  private readonly pendingKeyLookups = new Map<string, Promise<VerifiedCaller>>();

  constructor(
    private readonly apiKeys: ApiKeys,
    private readonly users: Users,
    private readonly tokenVerifier: TokenVerifier,
    private readonly admission: Admission,
  ) {}

  /** Looks up the caller in the cache. Returns undefined if the token was not verified within the last minute. */
  recognize(request: CallerRequest): Caller | undefined {
    const userId = this.verifiedTokens.findUserId(bearerToken(request));
    return userId === undefined ? undefined : setCaller(request, userId);
  }

  /**
   * Verifies the token or API key of a request.
   * @throws DomainError `unauthorized`, or `unavailable` if the credentials cannot be checked now
   */
  async authenticate(request: CallerRequest): Promise<Caller> {
    const token = bearerToken(request);
    if (token === '') {
      throw this.unauthorizedError(hasBearerToken(request) ? MALFORMED_HEADER : undefined);
    }
    const { userId, expiresAtMs } = isApiKey(token)
      ? await this.verifyKey(token, networkOf(request))
      : await this.verifyToken(token, request);
    this.verifiedTokens.add(token, userId, expiresAtMs);
    return setCaller(request, userId);
  }

  /** Concurrent requests with the same key share one query. */
  private verifyKey(key: string, network: string): Promise<VerifiedCaller> {
    let lookup = this.pendingKeyLookups.get(key);
    if (lookup === undefined) {
      lookup = this.lookUpKey(key, network).finally(() => this.pendingKeyLookups.delete(key));
      this.pendingKeyLookups.set(key, lookup);
    }
    return lookup;
  }

  private async lookUpKey(key: string, network: string): Promise<VerifiedCaller> {
    // Anybody can send invalid keys, so networks share the slots of key lookups. Until a key is verified, nothing else
    // distinguishes callers.
    const { userId, expiresAt } = await this.admission.runWithSlot(`keys from ${network}`, () =>
      this.apiKeys.authenticate(key),
    );
    return { userId, expiresAtMs: expiresAt?.getTime() ?? Infinity };
  }

  private async verifyToken(token: string, request: CallerRequest): Promise<VerifiedCaller> {
    const { subject, claims, expiresAtMs } = await this.readToken(token);
    const slotKey = `token of ${subject.issuer} ${subject.subject}`;
    const userId = await this.admission.runWithSlot(slotKey, () =>
      this.users.resolveId(subject, claims, ipAddressOf(request)),
    );
    return { userId, expiresAtMs };
  }

  /**
   * @throws DomainError `unauthorized` if the token is not valid, `unavailable` if the issuer's keys cannot be fetched.
   */
  private async readToken(token: string): Promise<VerifiedToken> {
    try {
      return await this.tokenVerifier.verify(token);
    } catch (error) {
      throw error instanceof DomainError
        ? error
        : this.unauthorizedError(describeTokenError(error));
    }
  }

  private unauthorizedError(problem?: string): DomainError {
    // Logged only at debug level, because anybody can send as many invalid tokens as they like.
    this.logger.debug({ stage: 'token', problem });
    return DomainError.unauthorized(problem);
  }
}

const setCaller = (request: CallerRequest, userId: string): Caller => (request.user = { userId });
