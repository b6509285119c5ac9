import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { StartupError } from '#errors';
import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { Metrics } from './metrics.js';

export interface MetricsOptions {
  /** If the port is undefined, nothing is measured and no server listens. */
  port: number | undefined;
  host: string;
}

export const METRICS_OPTIONS = Symbol('METRICS_OPTIONS');

/**
 * Serves `GET /metrics` on a separate port, which operators need not make public. This is a plain HTTP server, so that
 * scrapes share no hooks, rate limits or admission slots with the requests that they measure.
 */
@Injectable()
export class MetricsServer implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(MetricsServer.name);
  private server: Server | undefined;

  constructor(
    @Inject(METRICS_OPTIONS) private readonly options: MetricsOptions,
    private readonly metrics: Metrics,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const { port, host } = this.options;
    if (port === undefined) return;
    const server = createServer((request, response) => void this.respond(request, response));
    this.server = server;
    await new Promise<void>((resolve, reject) => {
      server.once('error', (error: NodeJS.ErrnoException) =>
        reject(
          new StartupError(
            `METRICS_PORT ${port} cannot be used (${error.code}): set it to a free port, or unset it.`,
          ),
        ),
      );
      server.listen(port, host, resolve);
    });
  }

  /** Closes the server last, so that Prometheus can still scrape a program while it shuts down. */
  async onApplicationShutdown(): Promise<void> {
    this.server?.closeAllConnections();
    await new Promise<void>((resolve) =>
      this.server ? this.server.close(() => resolve()) : resolve(),
    );
  }

  private async respond({ method, url }: IncomingMessage, response: ServerResponse): Promise<void> {
    if (url?.split('?')[0] !== '/metrics') {
      response.writeHead(404).end();
    } else if (method !== 'GET') {
      response.writeHead(405, { allow: 'GET' }).end();
    } else {
      try {
        const text = await this.metrics.exposition();
        response.writeHead(200, { 'content-type': this.metrics.contentType }).end(text);
      } catch (error) {
        this.logger.error({ err: error, stage: 'metrics' }, 'A scrape of the metrics failed.');
        response.writeHead(500).end();
      }
    }
  }
}
