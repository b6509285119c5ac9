import type { DynamicModule } from '@nestjs/common';
import { LoggerModule } from 'nestjs-pino';
import type { Options } from 'pino-http';

interface LogConfig {
  LOG_LEVEL: string;
}

interface LoggedError {
  type: string;
  message: string;
  stack: string;
  code?: string;
}

/** Everything is logged as one JSON object a line. */
export const logging = (config: LogConfig): DynamicModule =>
  LoggerModule.forRoot({ pinoHttp: logOptions(config) });

export function logOptions({ LOG_LEVEL }: LogConfig): Options {
  return {
    // Not pino's own writer: at its exit that waits for ever for a reader of the log that is gone.
    stream: process.stdout,
    level: LOG_LEVEL,
    // The API logs its requests itself, without their headers, which hold tokens and signatures.
    autoLogging: false,
    serializers: {
      // An error of Redis carries the command that failed, and that of a login its password.
      err: ({ type, message, stack, code }: LoggedError) => ({ type, message, stack, code }),
    },
  };
}
