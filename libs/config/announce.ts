import type { LoggerService } from '@nestjs/common';
import { describeHosts } from '#redis';
import { build } from './version/version.js';

interface Settings {
  DATABASE_URL: string;
  REDIS_URL: string | undefined;
  METRICS_HOST: string;
  METRICS_PORT: number | undefined;
}

/** Logs one line with the facts that an operator needs about a program that has started. */
export function announce(
  logger: LoggerService,
  program: string,
  address: string,
  settings: Settings,
): void {
  const { DATABASE_URL, REDIS_URL, METRICS_HOST, METRICS_PORT } = settings;
  const { host, pathname } = new URL(DATABASE_URL);
  const queue =
    REDIS_URL === undefined ? 'in PostgreSQL' : `in Redis at ${describeHosts(REDIS_URL)}`;
  const metrics = METRICS_PORT === undefined ? 'off' : `at ${METRICS_HOST}:${METRICS_PORT}`;
  logger.log(
    `Galley ${build}: the ${program} listens at ${address}. PostgreSQL: ${host}${pathname}. Queue: ${queue}. Metrics: ${metrics}.`,
  );
}
