// cspell:ignore DELUSER
import { randomBytes } from 'node:crypto';
import { expect } from '@jest/globals';
import { Redis } from 'ioredis';
import type { ApiResponse } from '../api/api-response.js';
import { probePort } from '../../../apps/standalone/ports.js';
import { eventually } from '../eventually.js';
import { startGalley, type Galley } from '../galley/galley.js';
import { Scrape } from '../metrics/scrape.js';
import { OtlpCollector } from '../network/otlp-collector.js';
import { Program } from '../processes/program.js';
import { PlantedSecrets } from './planted-secrets.js';
import { RedisMonitor } from './redis-monitor.js';
import { readRedis, readTables } from './stored-texts.js';

interface Call {
  body?: unknown;
  token?: string;
  headers?: Record<string, string>;
  url?: string;
}

export interface Service {
  program: Program;
  url: string;
  metricsPort: number;
}

/** A Galley whose configuration is full of secrets, and whose programs are searched for them. */
export class PlantedGalley {
  readonly secrets = new PlantedSecrets();
  /** The URL of the API to which `call` sends requests. */
  apiUrl = '';
  token = '';
  private readonly requestHeader = this.secrets.plant('header of a request');
  private redisMonitor: RedisMonitor | undefined;
  private readonly programs = new Map<Program, { name: string; searched: number }>();

  private constructor(
    readonly galley: Galley,
    readonly collector: OtlpCollector,
    readonly environment: Record<string, string>,
    private readonly account: string,
    private readonly redis: Redis | undefined,
  ) {}

  static async start(): Promise<PlantedGalley> {
    const [galley, collector] = await Promise.all([startGalley(), OtlpCollector.start()]);
    const account = `planted_${randomBytes(4).toString('hex')}`;
    const redisUrl = process.env['REDIS_URL'];
    const redis = redisUrl ? new Redis(redisUrl) : undefined;
    const environment = { ...galley.environment, NODE_OPTIONS: '', LOG_LEVEL: 'trace' };
    const planted = new PlantedGalley(galley, collector, environment, account, redis);
    await planted.configure();
    return planted;
  }

  private async configure(): Promise<void> {
    const { secrets, galley, account, redis } = this;
    const databasePassword = secrets.plant('password of DATABASE_URL');
    await galley.database.query(
      `CREATE ROLE ${account} LOGIN SUPERUSER PASSWORD '${databasePassword}'`,
    );
    const databaseUrl = withCredentials(galley.database.url, account, databasePassword);
    let redisUrl = '';
    if (redis) {
      const password = secrets.plant('password of REDIS_URL');
      await redis.call('ACL', 'SETUSER', account, 'on', `>${password}`, '~*', '&*', '+@all');
      redisUrl = withCredentials(process.env['REDIS_URL'] ?? '', account, password);
      // A job is gone before a test can read it, but not the command that has added it.
      this.redisMonitor = await RedisMonitor.start(process.env['REDIS_URL'] ?? '');
    }
    const collectorToken = secrets.plant('token of OTEL_EXPORTER_OTLP_HEADERS');
    const providerSecrets = [1, 2].map(() => `whsec_${secrets.plantKey('AUTH_WEBHOOK_SECRET')}`);
    Object.assign(this.environment, {
      DATABASE_URL: databaseUrl,
      DATABASE_DIRECT_URL: databaseUrl,
      REDIS_URL: redisUrl,
      SECRETS_KEYS: [
        secrets.plantKey('first of SECRETS_KEYS'),
        secrets.plantKey('second of SECRETS_KEYS', galley.environment['SECRETS_KEYS']),
      ].join(','),
      AUTH_WEBHOOK_SECRET: providerSecrets.join(','),
      // Nothing listens there.
      SMTP_URL: `smtp://galley:${secrets.plant('password of SMTP_URL')}@127.0.0.1:${await probePort(0)}`,
      ASSETS_STORAGE: `s3+http://galley:${secrets.plant('secret of ASSETS_STORAGE')}@127.0.0.1:${await probePort(0)}/bucket`,
      OTEL_EXPORTER_OTLP_ENDPOINT: this.collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer%20${collectorToken}`,
    });
    const claims = {
      email: 'ada@example.com',
      email_verified: true,
      secret: secrets.plant('claim of a token'),
    };
    this.token = secrets.plantToken('token', await galley.issuer.token('ada', { claims }));
  }

  /** Starts a program of `dist/apps`. */
  run(name: string, variables: object = {}, args: string[] = []): Program {
    const program = new Program(process.execPath, [`dist/apps/${name}.js`, ...args], {
      ...this.environment,
      ...variables,
    });
    this.programs.set(program, { name, searched: 0 });
    return program;
  }

  /** Starts the API or a worker, and waits until its health check says that it is ready, or not. */
  async serve(app: 'api' | 'worker', variables: object = {}, isReady = true): Promise<Service> {
    const [port, metricsPort] = [await probePort(0), await probePort(0)];
    const ports = { PORT: port, WORKER_PORT: port, METRICS_PORT: metricsPort };
    const program = this.run(`${app}/main`, { ...ports, ...variables });
    const url = `http://127.0.0.1:${port}`;
    await eventually(`the ${app}`, async () => {
      if (program.child.exitCode !== null) throw new Error(program.output);
      return (await this.readHealth(url)) === isReady;
    });
    return { program, url, metricsPort };
  }

  /** @returns whether the program is ready; undefined if it does not listen. */
  async readHealth(url: string): Promise<boolean | undefined> {
    const response = await fetch(`${url}/health/ready`).catch(() => undefined);
    this.secrets.addText('health check', (await response?.text()) ?? '');
    return response?.ok;
  }

  /** Adds the metrics page of a program to the texts that are searched. */
  async addMetrics({ metricsPort }: Service): Promise<void> {
    const { text } = await Scrape.of(metricsPort);
    expect(text).toContain('galley_ready');
    this.secrets.addText('metrics', text);
  }

  /** Reads the metrics of a program, and stops the program as an orchestrator does. */
  async stop(service: Service): Promise<void> {
    await this.addMetrics(service);
    const { program } = service;
    program.signal('SIGTERM');
    expect(await program.exited).toEqual([0, null]);
  }

  /** Sends a request with secrets in its headers. */
  readonly call = async <Body = { id: string }>(
    method: string,
    path: string,
    { body, token = this.token, headers = {}, url = this.apiUrl }: Call = {},
  ): Promise<ApiResponse<Body>> => {
    const { requestHeader } = this;
    const response = await fetch(new URL(path, url), {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        cookie: `session=${requestHeader}`,
        referer: `https://example.com/?${requestHeader}`,
        'user-agent': requestHeader,
        'x-api-key': requestHeader,
        traceparent: `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-01`,
        tracestate: `galley=${requestHeader}`,
        'content-type': 'application/json',
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const [route] = path.replaceAll(/[\da-f]{8}-[\da-f-]{27}/g, ':id').split('?');
    this.secrets.addText(`response to ${method} ${route}`, text);
    this.secrets.addText('headers of responses', JSON.stringify([...response.headers]));
    const { status, headers: responseHeaders } = response;
    return { status, headers: responseHeaders, text, body: JSON.parse(text || 'null') as Body };
  };

  /** Adds all that is in PostgreSQL and Redis to the texts that are searched. */
  async addStores(): Promise<void> {
    for (const [place, text] of await readTables(this.galley.database)) {
      this.secrets.addText(place, text);
    }
    if (!this.redis) return;
    const prefix = this.environment['QUEUE_PREFIX'] ?? '';
    this.secrets.addText('Redis', await readRedis(this.redis, prefix));
    const commands = this.redisMonitor?.takeText() ?? '';
    expect(commands).toContain(prefix);
    this.secrets.addText('Redis', commands);
  }

  /** Searches all that Galley has written since the last search. @returns `place: name of the secret`. */
  search(): string[] {
    for (const [program, seen] of this.programs) {
      this.secrets.addText(`output of ${seen.name}`, program.output.slice(seen.searched));
      seen.searched = program.output.length;
    }
    this.secrets.addText('spans', this.collector.text);
    return this.secrets.search();
  }

  async close(): Promise<void> {
    for (const program of this.programs.keys()) {
      program.killGroup();
      await program.exited;
    }
    const { galley, account, redis, redisMonitor, collector } = this;
    await redis?.call('ACL', 'DELUSER', account);
    redis?.disconnect();
    redisMonitor?.stop();
    await collector.stop();
    await galley.database.query(
      `REASSIGN OWNED BY ${account} TO CURRENT_USER; DROP OWNED BY ${account}; DROP ROLE ${account}`,
    );
    await galley.stop();
  }
}

export const withCredentials = (url: string, username: string, password: string): string =>
  Object.assign(new URL(url), { username, password }).href;
