import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { loadApiConfig, loadWorkerConfig } from '#config';
import { JobQueue } from '#queue';
import { Claims } from '#webhooks';
import { createApi } from '../../../apps/api/api.js';
import { createWorker } from '../../../apps/worker/worker.js';
import { Issuer } from '../identity/issuer.js';
import { createDatabase, type TestDatabase } from './database.js';
import { testEnvironment } from './environment.js';
import { runningGalley, type RunningGalley } from './running-galley.js';

/** A Galley with its own database and its own identity provider. */
export interface Galley extends RunningGalley {
  api: NestFastifyApplication;
  /** All routes of the API, as `METHOD /path/:id`. */
  routes: readonly string[];
  database: TestDatabase;
  issuer: Issuer;
  environment: Record<string, string>;
  /** Runs the worker's sweep now, without waiting for the worker's own schedule. */
  sweep(): Promise<void>;
  stop(): Promise<void>;
}

interface Options {
  /** Also starts a worker in this process. */
  worker?: boolean;
  /** Also starts an SMTP server that accepts all emails. */
  mailServer?: boolean;
  /** Stores pictures in a temporary folder. */
  pictures?: boolean;
  environment?: Record<string, string>;
  /** Starts a proxy through which the API and the worker reach the database. Returns the proxy's URL. */
  proxyDatabase?: (databaseUrl: string) => Promise<string>;
}

export async function startGalley(options: Options = {}): Promise<Galley> {
  const [database, issuer] = await Promise.all([createDatabase(), Issuer.start()]);
  // Few tests send emails, so only these load an SMTP server.
  const mailServer = options.mailServer
    ? await (await import('../network/mail-server.js')).MailServer.start()
    : undefined;
  const pictureFolder = options.pictures
    ? await mkdtemp(join(tmpdir(), 'galley-pictures-'))
    : undefined;
  const environment = {
    ...testEnvironment({
      databaseUrl: (await options.proxyDatabase?.(database.pooledUrl)) ?? database.pooledUrl,
      databaseDirectUrl: database.url,
      issuerUrl: issuer.url,
    }),
    DATABASE_POOL_SIZE: '5',
    ...(mailServer && { SMTP_URL: mailServer.url }),
    ...(pictureFolder && { ASSETS_STORAGE: pictureFolder }),
    ...options.environment,
  };
  const api = await createApi(loadApiConfig(environment));
  const routes = collectRoutes(api);
  await api.listen(0, '127.0.0.1');
  const url = await api.getUrl();
  const worker = options.worker ? await createWorker(loadWorkerConfig(environment)) : undefined;
  await worker?.init();

  return {
    ...runningGalley(url, (name) => issuer.token(name)),
    api,
    routes,
    database,
    issuer,
    environment,
    sweep: async () => {
      if (worker === undefined) throw new Error('There is no worker.');
      const { dueEndpoints } = await worker.get(Claims, { strict: false }).sweep();
      await worker.get(JobQueue, { strict: false }).enqueue(dueEndpoints);
    },
    stop: async () => {
      await worker?.close();
      await api.close();
      await issuer.stop();
      await mailServer?.stop();
      if (pictureFolder) await rm(pictureFolder, { recursive: true, force: true });
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
