import type { LoggerService } from '@nestjs/common';
import { Logger, PinoLogger } from 'nestjs-pino';
import type { Options } from 'pino-http';

interface LogConfig {
  LOG_LEVEL: string;
}

interface LoggedError {
  type?: string;
  message?: string;
  stack?: string;
  code?: string;
}

/** All that a log line may have beside its level, time and message: no field holds what a client or receiver sends. */
export const LOGGED_FIELDS = new Set([
  'context',
  'stage',
  'err',
  'requestId',
  'method',
  'path',
  'statusCode',
  'durationMs',
  'deliveryId',
  'endpointId',
  'eventId',
  'event',
  'attempt',
  'retryInMs',
  'userId',
  'key',
  'provider',
  'problem',
  'count',
]);
const REDACTED = '[not in LOGGED_FIELDS]';

/**
 * The logger of a program: one JSON object a line, from the first line on. Nest's own logger, which
 * writes coloured text, would print all that happens before the modules are ready.
 */
export const createLogger = (config: LogConfig): LoggerService =>
  new Logger(new PinoLogger({ pinoHttp: logOptions(config) }), {});

export function logOptions({ LOG_LEVEL }: LogConfig): Options {
  return {
    // Not pino's own writer: at its exit that waits for ever for a reader of the log that is gone.
    stream: process.stdout,
    level: LOG_LEVEL,
    autoLogging: false,
    // Of an error under this key pino copies the message into `msg`.
    errorKey: 'unused',
    formatters: { log: redactUnlistedFields },
    hooks: {
      // Of an error that is logged by itself pino copies the message, too.
      logMethod(args, method) {
        const [first, ...others] = args as [unknown, ...string[]];
        method.call(this, first instanceof Error ? { err: first } : first, ...others);
      },
    },
    serializers: {
      // An error of Redis carries the command that failed, and that of a login its password.
      err: serializeError,
      req: () => undefined,
      res: () => undefined,
    },
  };
}

function redactUnlistedFields(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      const isLogged = LOGGED_FIELDS.has(name) && (name === 'err' || !isObject(value));
      return [name, isLogged ? value : REDACTED];
    }),
  );
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null;

function serializeError(error: unknown): LoggedError {
  // Anything can be thrown.
  const { type, message, stack = '', code } = Object(error) as LoggedError;
  if (!hasQuotedInput({ type, code })) return { type, message, stack, code };
  const stackFrames = stack.split('\n').filter((line) => /^ {4}at /.test(line));
  return { type, message: '[quotes its input]', stack: stackFrames.join('\n'), code };
}

/** JSON.parse and PostgreSQL's data exceptions (SQLSTATE class 22) repeat what they could not read. */
const hasQuotedInput = ({ type, code }: LoggedError): boolean =>
  type === 'SyntaxError' || (type === 'DatabaseError' && /^22/.test(code ?? ''));
