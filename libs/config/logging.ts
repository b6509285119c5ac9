import type { DynamicModule } from '@nestjs/common';
import { LoggerModule } from 'nestjs-pino';

/** Everything is logged as one JSON object a line, a request when it is answered. */
export function logging({ LOG_LEVEL }: { LOG_LEVEL: string }): DynamicModule {
  return LoggerModule.forRoot({
    pinoHttp: {
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
        res: ({ statusCode }: { statusCode: number }) => ({ statusCode }),
      },
    },
  });
}
