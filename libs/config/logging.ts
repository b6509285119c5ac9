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

/** Everything is logged as one JSON object a line, a request when it is answered. */
export const logging = (config: LogConfig): DynamicModule =>
  LoggerModule.forRoot({ pinoHttp: logOptions(config) });

export function logOptions({ LOG_LEVEL }: LogConfig): Options {
  return {
    // Not pino's own writer: at its exit that waits for ever for a reader of the log that is gone.
    stream: process.stdout,
    level: LOG_LEVEL,
    // Fastify has named the request already; log and answer carry the same id.
    genReqId: (request) => request.id,
    autoLogging: { ignore: (request) => request.url?.startsWith('/health/') ?? false },
    // Headers hold tokens and signatures, and a query what somebody searched for.
    serializers: {
      req: ({ id, method, url }: { id: unknown; method: string; url: string }) => ({
        id,
        method,
        path: url.split('?')[0],
      }),
      // An error of Redis carries the command that failed, and that of a login its password.
      err: ({ type, message, stack, code }: LoggedError) => ({ type, message, stack, code }),
      res: ({ statusCode }: { statusCode: number }) => ({ statusCode }),
    },
  };
}
