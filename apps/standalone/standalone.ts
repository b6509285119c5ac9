import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import type { JWKS } from 'oidc-provider';
import type { ServiceUrls, DataDirectory } from './data-directory.js';
import { updateUserIssuer } from './identity-provider/users/update-user-issuer.js';
import {
  createSigningKeys,
  assertNotProduction,
  startIdentityProvider,
} from './identity-provider/identity-provider.js';
import { CLIENT_ID } from './identity-provider/openid-provider.js';
import type { IdentityProvider } from './identity-provider/identity-provider.js';
import { waitForFreePort, findFreePort, findUnassignedPort } from './ports.js';
import { ensureDatabase, startPostgres } from './postgres/postgres.js';
import type { Postgres } from './postgres/postgres.js';
import { startMailCatcher, type MailCatcher } from './mail-catcher/mail-catcher.js';
import { startSampleReceiver, type SampleReceiver } from './sample-receiver/sample-receiver.js';
import { AppProcess } from './app-process.js';
import { CliError, print } from './terminal.js';
import { welcomeMessage } from './welcome.js';

const AUDIENCE = 'galley';
const DATABASE_NAME = 'galley';
// 3000 is the default port of the API, and 3001 that of the worker.
const FIRST_IDENTITY_PROVIDER_PORT = 3002;
// The sample subscriber of the README's tutorial listens on port 4000.
const FIRST_SAMPLE_RECEIVER_PORT = 4001;
// Mailpit and MailHog have their pages at this port.
const FIRST_MAIL_CATCHER_PORT = 8025;
// If standalone is killed, its API ends by itself within 10 s (`exit-with-parent.ts`).
const ORPHAN_EXIT_TIMEOUT_MS = 12_000;
const STOP_REQUESTED = Symbol('somebody asked to stop');

/** Runs Galley with all services that it needs. None of these services has to be installed. */
export class Standalone {
  readonly #dataDirectory: DataDirectory;
  readonly #port: number;
  /** Aborts once. The reason is STOP_REQUESTED, or the CliError of a part that ended unexpectedly. */
  readonly #shutdown = new AbortController();
  readonly #children: AppProcess[] = [];
  #identityProvider?: IdentityProvider;
  #sampleReceiver?: SampleReceiver;
  #mailCatcher?: MailCatcher;
  #postgres?: Postgres;

  constructor(dataDirectory: DataDirectory, port: number) {
    this.#dataDirectory = dataDirectory;
    this.#port = port;
  }

  /**
   * Starts all parts and returns when a stop is requested. Call `stop` afterwards.
   *
   * @throws CliError if a part cannot start or ends unexpectedly.
   */
  async run(): Promise<void> {
    const { signal } = this.#shutdown;
    try {
      await this.#start();
      if (!signal.aborted) {
        await once(signal, 'abort');
      }
      throw signal.reason;
    } catch (error) {
      // If one part ends while others are starting, the others fail as well. Only the first failure is reported.
      const reason: unknown = signal.aborted ? signal.reason : error;
      if (reason !== STOP_REQUESTED) {
        throw reason;
      }
    }
  }

  requestStop(): void {
    this.#shutdown.abort(STOP_REQUESTED);
  }

  /** Stops the programs before the services that they use. */
  async stop(): Promise<void> {
    this.#shutdown.abort(STOP_REQUESTED);
    await Promise.all(this.#children.map((child) => child.stop()));
    await this.#identityProvider?.stop();
    await this.#sampleReceiver?.stop();
    await this.#mailCatcher?.stop();
    await this.#postgres?.stop();
  }

  /** Ends the programs immediately. PostgreSQL stops by itself when this process ends. */
  kill(): void {
    for (const child of this.#children) {
      child.kill();
    }
  }

  async #start(): Promise<void> {
    const { signal } = this.#shutdown;
    assertNotProduction();
    await waitForFreePort(
      this.#port,
      this.#dataDirectory.hadUncleanShutdown ? ORPHAN_EXIT_TIMEOUT_MS : 0,
    );
    signal.throwIfAborted();
    await this.#dataDirectory.markStarting();

    const webhookSecret = await this.#dataDirectory.readOrCreate(
      'webhook-secret',
      () => `whsec_${randomBytes(32).toString('base64')}`,
    );
    // The identity provider, the sample receiver and the mail catcher start first, while their ports are still free.
    this.#identityProvider = await startIdentityProvider({
      signingKeys: await this.#loadSigningKeys(),
      audience: AUDIENCE,
      port: await findFreePort(FIRST_IDENTITY_PROVIDER_PORT, this.#port),
      usersFile: join(this.#dataDirectory.path, 'users.json'),
      userMessages: {
        url: `http://127.0.0.1:${this.#port}/api/auth/webhook`,
        secret: webhookSecret,
      },
    });
    this.#sampleReceiver = await startSampleReceiver(
      `http://127.0.0.1:${this.#port}/settings`,
      await this.#findSampleReceiverPort(),
    );
    this.#mailCatcher = await startMailCatcher(
      `http://127.0.0.1:${this.#port}/settings`,
      await findFreePort(FIRST_MAIL_CATCHER_PORT, this.#port),
    );
    signal.throwIfAborted();

    print('Starting PostgreSQL …');
    this.#postgres = await startPostgres({ dataDir: this.#dataDirectory.path });
    this.#shutDownOnExit('PostgreSQL', this.#postgres.exited);
    const databaseUrl = this.#postgres.urlOf(DATABASE_NAME);
    await ensureDatabase(this.#postgres, DATABASE_NAME);
    signal.throwIfAborted();

    print('Migrating the database …');
    await this.#migrate({ ...process.env, NODE_ENV: 'development', DATABASE_URL: databaseUrl });
    signal.throwIfAborted();

    await updateUserIssuer(databaseUrl, this.#identityProvider.origin);

    print('Starting the API and the worker …');
    const workerPort = await findUnassignedPort();
    const apiMetricsPort = await findUnassignedPort();
    const workerMetricsPort = await findUnassignedPort();
    const env = {
      ...process.env,
      NODE_ENV: 'development',
      // Quiet by default, so that the user notices what standalone itself prints.
      LOG_LEVEL: process.env['LOG_LEVEL'] || 'warn',
      HOST: '127.0.0.1',
      PORT: String(this.#port),
      WORKER_PORT: String(workerPort),
      DATABASE_URL: databaseUrl,
      AUTH_ISSUER: this.#identityProvider.origin,
      // The API finds the keys by discovery. An AUTH_JWKS_URI from the shell would belong to another issuer.
      AUTH_JWKS_URI: '',
      AUTH_AUDIENCE: AUDIENCE,
      AUTH_CLIENT_ID: CLIENT_ID,
      AUTH_WEBHOOK_PROVIDER: 'clerk',
      AUTH_WEBHOOK_SECRET: webhookSecret,
      SECRETS_KEYS: await this.#dataDirectory.readOrCreate('secrets-key', () =>
        randomBytes(32).toString('base64'),
      ),
      SAMPLE_RECEIVER_URL: this.#sampleReceiver.url,
      SMTP_URL: this.#mailCatcher.smtpUrl,
      MAIL_FROM: 'Galley <galley@example.com>',
      // The mail catcher delivers nothing, so test emails may go to any address of this domain.
      TEST_SEND_RECIPIENTS: '@example.com',
      PUBLIC_URL: `http://127.0.0.1:${this.#port}`,
      ASSETS_STORAGE: join(this.#dataDirectory.path, 'assets'),
      // A URL from the shell would belong to another installation.
      ASSETS_URL: '',
      // The sample receiver and the sample subscriber listen on a loopback address.
      WEBHOOK_ALLOWED_RANGES: '127.0.0.0/8,::1/128',
    };
    signal.throwIfAborted();
    const api = this.#launch('API', '../api/main.js', {
      ...env,
      METRICS_PORT: String(apiMetricsPort),
    });
    const worker = this.#launch('worker', '../worker/main.js', {
      ...env,
      METRICS_PORT: String(workerMetricsPort),
    });
    const urls: ServiceUrls = {
      api: `http://127.0.0.1:${this.#port}`,
      worker: `http://127.0.0.1:${workerPort}`,
      apiMetrics: `http://127.0.0.1:${apiMetricsPort}/metrics`,
      workerMetrics: `http://127.0.0.1:${workerMetricsPort}/metrics`,
      identityProvider: this.#identityProvider.origin,
      sampleReceiver: this.#sampleReceiver.url,
      mailCatcher: this.#mailCatcher.url,
      databaseUrl,
    };
    await api.waitUntilReady(`${urls.api}/health/ready`, signal);
    await worker.waitUntilReady(`${urls.worker}/health/ready`, signal);
    await this.#dataDirectory.markReady(urls);
    print(welcomeMessage(urls, this.#dataDirectory.path));
  }

  async #migrate(env: NodeJS.ProcessEnv): Promise<void> {
    const migration = new AppProcess(
      'migrate',
      new URL('../migrate/main.js', import.meta.url),
      env,
    );
    this.#children.push(migration);
    const exitReason = await migration.exited;
    if (exitReason !== 'exit code 0') {
      throw new CliError(
        `The migration of the database failed (${exitReason}). Its messages are above.`,
      );
    }
  }

  #launch(name: string, entryPath: string, env: NodeJS.ProcessEnv): AppProcess {
    const child = new AppProcess(name, new URL(entryPath, import.meta.url), env);
    this.#children.push(child);
    this.#shutDownOnExit(`The ${name}`, child.exited);
    return child;
  }

  #shutDownOnExit(name: string, exited: Promise<string>): void {
    void exited.then((exitReason) =>
      this.#shutdown.abort(
        new CliError(`${name} stopped unexpectedly (${exitReason}), so all of Galley stops.`),
      ),
    );
  }

  /** Prefers the port of the last start, because the URLs of webhooks contain the port. */
  async #findSampleReceiverPort(): Promise<number> {
    const lastPort = await this.#dataDirectory.readOrCreate('sample-receiver-port', async () =>
      String(await findFreePort(FIRST_SAMPLE_RECEIVER_PORT, this.#port)),
    );
    return findFreePort(Number(lastPort), this.#port);
  }

  async #loadSigningKeys(): Promise<JWKS> {
    const keys = await this.#dataDirectory.readOrCreate('signing-keys.json', async () =>
      JSON.stringify(await createSigningKeys()),
    );
    return JSON.parse(keys) as JWKS;
  }
}
