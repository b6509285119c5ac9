import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { build, createLogger, type WorkerConfig } from '#config';
import { endInTime } from '#shutdown';
import { noteSignals } from '#signals';
import { WorkerModule } from './worker.module.js';

export async function createWorker(config: WorkerConfig): Promise<NestFastifyApplication> {
  const logger = createLogger(config);
  logger.log(`galley worker ${build} starts.`);
  const app = await NestFactory.create<NestFastifyApplication>(
    WorkerModule.forRoot(config),
    // The worker serves only health checks, so a shutdown does not wait for open requests.
    new FastifyAdapter({ forceCloseConnections: true }),
    { logger, abortOnError: false },
  );
  // Without this option, Nest ends the process by re-raising the signal, and the exit code is not 0.
  app.enableShutdownHooks(undefined, { useProcessExit: true });
  noteSignals();
  endInTime(app);
  return app;
}
