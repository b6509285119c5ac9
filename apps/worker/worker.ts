import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { createLogger, type WorkerConfig } from '#config';
import { WorkerModule } from './worker.module.js';

/** The worker. It serves nothing but its health checks. */
export async function createWorker(config: WorkerConfig): Promise<NestFastifyApplication> {
  const app = await NestFactory.create<NestFastifyApplication>(
    WorkerModule.forRoot(config),
    // The worker serves only health checks, so a shutdown need not wait for open requests.
    new FastifyAdapter({ forceCloseConnections: true }),
    { logger: createLogger(config), abortOnError: false },
  );
  // Without it Nest ends a process that was asked to stop by raising the signal again, and not with 0.
  app.enableShutdownHooks(undefined, { useProcessExit: true });
  return app;
}
