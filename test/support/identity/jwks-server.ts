import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type CryptoKey, type JWK } from 'jose';

/** An OpenID provider with one key for each algorithm. The id of a key is the algorithm's name. */
export class JwksServer {
  private constructor(
    private readonly server: Server,
    readonly url: string,
    readonly publicKeys: ReadonlyMap<string, JWK>,
    private readonly privateKeys: ReadonlyMap<string, CryptoKey>,
  ) {}

  static async start(algorithms: readonly string[]): Promise<JwksServer> {
    const publicKeys = new Map<string, JWK>();
    const privateKeys = new Map<string, CryptoKey>();
    for (const algorithm of algorithms) {
      const { publicKey, privateKey } = await generateKeyPair(algorithm, { extractable: true });
      const jwk = { ...(await exportJWK(publicKey)), kid: algorithm, alg: algorithm, use: 'sig' };
      publicKeys.set(algorithm, jwk);
      privateKeys.set(algorithm, privateKey);
    }
    const server = createServer(({ url: path }, response) => {
      response.setHeader('content-type', 'application/json');
      const document =
        path === '/keys'
          ? { keys: [...publicKeys.values()] }
          : { issuer: provider.url, jwks_uri: `${provider.url}/keys` };
      response.end(JSON.stringify(document));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const provider = new JwksServer(server, `http://127.0.0.1:${port}`, publicKeys, privateKeys);
    return provider;
  }

  privateKey(algorithm: string): CryptoKey {
    const key = this.privateKeys.get(algorithm);
    if (key === undefined) throw new Error(`There is no key for ${algorithm}.`);
    return key;
  }

  stop(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }
}
