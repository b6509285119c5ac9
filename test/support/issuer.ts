import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWTPayload } from 'jose';

export const AUDIENCE = 'galley-test';

/** What a token says beside its issuer and audience; null leaves a claim out. */
export interface TokenOptions {
  claims?: JWTPayload;
  expiresIn?: string;
  issuer?: string;
  audience?: string;
  key?: CryptoKey;
  keyId?: string;
  algorithm?: string;
}

/** An OpenID provider as far as Galley looks at one: discovery and keys over real HTTP. */
export class Issuer {
  /** How often the keys were asked for. */
  keyRequests = 0;

  private constructor(
    private readonly server: Server,
    readonly url: string,
    private readonly privateKey: CryptoKey,
  ) {}

  static async start(): Promise<Issuer> {
    const { publicKey, privateKey } = await generateKeyPair('RS256');
    const keys = [{ ...(await exportJWK(publicKey)), kid: 'first', alg: 'RS256', use: 'sig' }];
    const server = createServer((request, response) => {
      response.setHeader('content-type', 'application/json');
      if (request.url === '/jwks') {
        issuer.keyRequests++;
        response.end(JSON.stringify({ keys }));
      } else {
        response.end(JSON.stringify({ issuer: issuer.url, jwks_uri: `${issuer.url}/jwks` }));
      }
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const issuer = new Issuer(server, `http://127.0.0.1:${port}`, privateKey);
    return issuer;
  }

  token(subject: string, options: TokenOptions = {}): Promise<string> {
    const { algorithm = 'RS256', keyId = 'first', key = this.privateKey } = options;
    return new SignJWT({ email: `${subject}@example.com`, ...options.claims })
      .setProtectedHeader({ alg: algorithm, kid: keyId })
      .setSubject(subject)
      .setIssuer(options.issuer ?? this.url)
      .setAudience(options.audience ?? AUDIENCE)
      .setIssuedAt(options.claims?.iat)
      .setExpirationTime(options.expiresIn ?? '1h')
      .sign(key);
  }

  stop(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }
}
