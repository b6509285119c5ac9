import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { JWKS } from 'oidc-provider';
import type { Addresses, DataDirectory } from './data-directory.js';
import { moveUsers } from './move-users.js';
import { createSigningKeys, refuseProduction, startIdentityProvider } from './identity-provider.js';
import type { IdentityProvider } from './identity-provider.js';
import { claimPort, firstFreePort, tryPort } from './ports.js';
import { ensureDatabase, startPostgres } from './postgres.js';
import type { Postgres } from './postgres.js';
import { Program } from './program.js';
import { Problem, say } from './terminal.js';
import { welcome } from './welcome.js';

const AUDIENCE = 'galley';
const DATABASE = 'galley';
// The API's and the worker's default ports come before it.
const FIRST_IDENTITY_PORT = 3002;
// An API whose standalone was killed leaves by itself within 10 s (leave-with-parent.ts).
const ORPHAN_PATIENCE_MS = 12_000;
const STOP = Symbol('somebody asked to stop');

/** Galley and all it needs, on one machine with nothing installed. */
export class Standalone {
  readonly #dataDirectory: DataDirectory;
  readonly #port: number;
  /** Aborted once: with STOP, or with the Problem of a part that died. */
  readonly #end = new AbortController();
  readonly #programs: Program[] = [];
  #identityProvider?: IdentityProvider;
  #postgres?: Postgres;

  constructor(dataDirectory: DataDirectory, port: number) {
    this.#dataDirectory = dataDirectory;
    this.#port = port;
  }

  /**
   * Starts everything and keeps it up until a stop is requested. `stop` is still to be called.
   *
   * @throws Problem when a part cannot start or dies.
   */
  async run(): Promise<void> {
    const { signal } = this.#end;
    try {
      await this.#start();
      if (!signal.aborted) {
        await once(signal, 'abort');
      }
      throw signal.reason;
    } catch (error) {
      // A part that is stopped while others start makes those fail: the first reason counts.
      const reason: unknown = signal.aborted ? signal.reason : error;
      if (reason !== STOP) {
        throw reason;
      }
    }
  }

  requestStop(): void {
    this.#end.abort(STOP);
  }

  /** What uses goes before what is used. */
  async stop(): Promise<void> {
    this.#end.abort(STOP);
    await Promise.all(this.#programs.map((program) => program.stop()));
    await this.#identityProvider?.stop();
    await this.#postgres?.stop();
  }

  /** Ends the programs at once. PostgreSQL stops by itself when this process ends. */
  kill(): void {
    for (const program of this.#programs) {
      program.kill();
    }
  }

  async #start(): Promise<void> {
    const { signal } = this.#end;
    refuseProduction();
    await claimPort(this.#port, this.#dataDirectory.leftInDisorder ? ORPHAN_PATIENCE_MS : 0);
    signal.throwIfAborted();
    await this.#dataDirectory.announceStarting();

    // At once, while the port is known to be free.
    this.#identityProvider = await startIdentityProvider({
      signingKeys: await this.#signingKeys(),
      audience: AUDIENCE,
      port: await firstFreePort(FIRST_IDENTITY_PORT, this.#port),
    });
    signal.throwIfAborted();

    say('Starting PostgreSQL …');
    this.#postgres = await startPostgres({ dataDir: this.#dataDirectory.path });
    this.#watch('PostgreSQL', this.#postgres.exited);
    const databaseUrl = this.#postgres.urlOf(DATABASE);
    await ensureDatabase(this.#postgres, DATABASE);
    signal.throwIfAborted();

    say('Migrating the database …');
    await this.#migrate({ ...process.env, NODE_ENV: 'development', DATABASE_URL: databaseUrl });
    signal.throwIfAborted();

    await moveUsers(databaseUrl, this.#identityProvider.origin);

    say('Starting the API and the worker …');
    const workerPort = await tryPort(0);
    const env = {
      ...process.env,
      NODE_ENV: 'development',
      // Quiet, so that what this prints itself is seen.
      LOG_LEVEL: process.env['LOG_LEVEL'] || 'warn',
      HOST: '127.0.0.1',
      PORT: String(this.#port),
      WORKER_PORT: String(workerPort),
      DATABASE_URL: databaseUrl,
      AUTH_ISSUER: this.#identityProvider.origin,
      // Found by discovery; one from the shell would be another issuer's.
      AUTH_JWKS_URI: '',
      AUTH_AUDIENCE: AUDIENCE,
      SECRETS_KEY: await this.#dataDirectory.keep('secrets-key', () =>
        randomBytes(32).toString('base64'),
      ),
      // The sample receiver listens there.
      WEBHOOK_ALLOWED_RANGES: '127.0.0.0/8,::1/128',
    };
    signal.throwIfAborted();
    const api = this.#launch('API', '../api/main.js', env);
    const worker = this.#launch('worker', '../worker/main.js', env);
    const addresses: Addresses = {
      api: `http://127.0.0.1:${this.#port}`,
      worker: `http://127.0.0.1:${workerPort}`,
      identityProvider: this.#identityProvider.origin,
      databaseUrl,
    };
    await api.becomesReady(`${addresses.api}/health/ready`, signal);
    await worker.becomesReady(`${addresses.worker}/health/ready`, signal);
    await this.#dataDirectory.announceReady(addresses);
    say(welcome(addresses, this.#dataDirectory.path));
  }

  async #migrate(env: NodeJS.ProcessEnv): Promise<void> {
    const migrate = new Program('migrate', new URL('../migrate/main.js', import.meta.url), env);
    this.#programs.push(migrate);
    const how = await migrate.exited;
    if (how !== 'exit code 0') {
      throw new Problem(`The migration of the database failed (${how}): its messages are above.`);
    }
  }

  #launch(name: string, file: string, env: NodeJS.ProcessEnv): Program {
    const program = new Program(name, new URL(file, import.meta.url), env);
    this.#programs.push(program);
    this.#watch(`The ${name}`, program.exited);
    return program;
  }

  #watch(name: string, exited: Promise<string>): void {
    void exited.then((how) =>
      this.#end.abort(
        new Problem(`${name} stopped unexpectedly (${how}), so all of Galley stops.`),
      ),
    );
  }

  async #signingKeys(): Promise<JWKS> {
    const keys = await this.#dataDirectory.keep('signing-keys.json', async () =>
      JSON.stringify(await createSigningKeys()),
    );
    return JSON.parse(keys) as JWKS;
  }
}
