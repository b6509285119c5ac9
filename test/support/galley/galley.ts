import { randomBytes, randomUUID } from 'node:crypto';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { loadApiConfig, loadWorkerConfig } from '#config';
import { createWorkspace, type Workspace } from '#client';
import { JobQueue } from '#queue';
import { Claims } from '#webhooks';
import { createApi } from '../../../apps/api/api.js';
import { createWorker } from '../../../apps/worker/worker.js';
import { Client } from '../api/client.js';
import { createDatabase, type TestDatabase } from './database.js';
import { AUDIENCE, Issuer } from '../identity/issuer.js';

/** A Galley with its own database and its own identity provider. */
export interface Galley {
  api: NestFastifyApplication;
  /** All routes of the API, as `METHOD /path/:id`. */
  routes: readonly string[];
  url: string;
  database: TestDatabase;
  issuer: Issuer;
  environment: Record<string, string>;
  /** A client that acts as the user with this name; the client's first request creates the user. */
  clientFor(name: string): Promise<Client>;
  anonymous: Client;
  /** Creates a workspace that the named user owns. */
  createWorkspaceFor(name: string): Promise<Workspace>;
  /** Runs the worker's sweep now, without waiting for the worker's own schedule. */
  sweep(): Promise<void>;
  stop(): Promise<void>;
}

interface Options {
  /** Also starts a worker in this process. */
  worker?: boolean;
  environment?: Record<string, string>;
  /** Starts a proxy through which the API and the worker reach the database. Returns the proxy's URL. */
  proxyDatabase?: (databaseUrl: string) => Promise<string>;
}

export async function startGalley(options: Options = {}): Promise<Galley> {
  const [database, issuer] = await Promise.all([createDatabase(), Issuer.start()]);
  const environment: Record<string, string> = {
    NODE_ENV: 'test',
    LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'silent',
    HOST: '127.0.0.1',
    DATABASE_URL: (await options.proxyDatabase?.(database.pooledUrl)) ?? database.pooledUrl,
    DATABASE_DIRECT_URL: database.url,
    DATABASE_POOL_SIZE: '5',
    REDIS_URL: process.env['REDIS_URL'] ?? '',
    QUEUE_PREFIX: `galley-test-${randomUUID()}`,
    SECRETS_KEYS: randomBytes(32).toString('base64'),
    AUTH_ISSUER: issuer.url,
    AUTH_AUDIENCE: AUDIENCE,
    WEBHOOK_ALLOWED_RANGES: '127.0.0.0/8',
    // The tests send more requests in a minute than the limits allow.
    RATE_LIMIT_ADDRESS: '0',
    RATE_LIMIT_USER: '0',
    ...options.environment,
  };
  const api = await createApi(loadApiConfig(environment));
  const routes = collectRoutes(api);
  await api.listen(0, '127.0.0.1');
  const url = await api.getUrl();
  const worker = options.worker ? await createWorker(loadWorkerConfig(environment)) : undefined;
  await worker?.init();

  const as = async (name: string) => new Client(url, await issuer.token(name));
  return {
    api,
    routes,
    url,
    database,
    issuer,
    environment,
    clientFor: as,
    anonymous: new Client(url),
    createWorkspaceFor: async (name) => {
      const { generated: client } = await as(name);
      const { data } = await createWorkspace({ client, body: { name: `${name}'s` } });
      return data;
    },
    sweep: async () => {
      if (worker === undefined) throw new Error('There is no worker.');
      const { dueEndpoints } = await worker.get(Claims, { strict: false }).sweep();
      await worker.get(JobQueue, { strict: false }).enqueue(dueEndpoints);
    },
    stop: async () => {
      await worker?.close();
      await api.close();
      await issuer.stop();
      await database.drop();
    },
  };
}

/** The list is empty at first: Fastify calls the hook for each route while the API starts. */
function collectRoutes(api: NestFastifyApplication): readonly string[] {
  const routes: string[] = [];
  const fastify = api.getHttpAdapter().getInstance();
  fastify.addHook('onRoute', ({ method, url }) => {
    // The files of the API reference are the same for all callers, so the list leaves them out.
    if (url.startsWith('/docs')) return;
    routes.push(...[method].flat().map((verb) => `${verb} ${url}`));
  });
  return routes;
}
