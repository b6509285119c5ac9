import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  exportJWK,
  generateKeyPair,
  SignJWT,
  type CryptoKey,
  type JWK,
  type JWTPayload,
} from 'jose';

// Jest's global set-up imports this file without a transformation (see pgbouncer.ts).

export const AUDIENCE = 'galley-test';

/** The key with which an issuer signs its tokens. */
export interface Signer {
  issuer: string;
  keyId: string;
  privateKey: CryptoKey | JWK;
}

/** How a token differs from a token that Galley accepts. */
export interface TokenOptions {
  claims?: JWTPayload;
  expiresIn?: string;
  issuer?: string;
  audience?: string;
  key?: CryptoKey | Uint8Array;
  keyId?: string;
  algorithm?: string;
}

/** An OpenID provider with only what Galley uses: discovery and keys, over real HTTP. */
export class Issuer {
  /** How often the keys were requested, including failed requests. */
  keyRequests = 0;
  /** While this is true, requests for keys fail. */
  isDown = false;
  readonly url: string;
  private readonly server: Server;
  private keys: JWK[] = [];
  private privateKey!: CryptoKey;
  private keyId = '';

  private constructor(server: Server, url: string) {
    this.server = server;
    this.url = url;
  }

  static async start(): Promise<Issuer> {
    const server = createServer((request, response) => {
      response.setHeader('content-type', 'application/json');
      if (request.url === '/jwks') {
        issuer.keyRequests++;
        response.statusCode = issuer.isDown ? 503 : 200;
        response.end(JSON.stringify({ keys: issuer.keys }));
      } else {
        response.end(JSON.stringify({ issuer: issuer.url, jwks_uri: `${issuer.url}/jwks` }));
      }
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const issuer = new Issuer(server, `http://127.0.0.1:${port}`);
    await issuer.rotate('first');
    return issuer;
  }

  /** Signs with a new key from now on. Earlier keys stay published, unless `withdraw` is set. */
  async rotate(keyId: string, { withdraw = false } = {}): Promise<void> {
    const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true });
    const key = { ...(await exportJWK(publicKey)), kid: keyId, alg: 'RS256', use: 'sig' };
    this.keys = withdraw ? [key] : [...this.keys, key];
    [this.keyId, this.privateKey] = [keyId, privateKey];
  }

  token(subject: string, options: TokenOptions = {}): Promise<string> {
    const { url: issuer, keyId, privateKey } = this;
    return signToken({ issuer, keyId, privateKey }, subject, options);
  }

  /** For tests in other processes. */
  async exportSigner(): Promise<Signer> {
    return { issuer: this.url, keyId: this.keyId, privateKey: await exportJWK(this.privateKey) };
  }

  stop(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }
}

export function signToken(
  signer: Signer,
  subject: string,
  options: TokenOptions = {},
): Promise<string> {
  const { algorithm = 'RS256', keyId = signer.keyId, key = signer.privateKey } = options;
  return new SignJWT({ email: `${subject}@example.com`, ...options.claims })
    .setProtectedHeader({ alg: algorithm, kid: keyId })
    .setSubject(subject)
    .setIssuer(options.issuer ?? signer.issuer)
    .setAudience(options.audience ?? AUDIENCE)
    .setIssuedAt(options.claims?.iat)
    .setExpirationTime(options.expiresIn ?? '1h')
    .sign(key);
}
