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

/**
 * The fields that a log line may have in addition to its level, time and message. No field contains what a
 * client or receiver has sent.
 */
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
 * The logger of a program: one JSON object for each line, from the first line on. Without this logger,
 * Nest's own logger would print coloured text until the modules are ready.
 */
export const createLogger = (config: LogConfig): LoggerService =>
  new Logger(new PinoLogger({ pinoHttp: logOptions(config) }), {});

export function logOptions({ LOG_LEVEL }: LogConfig): Options {
  return {
    // pino's own writer would wait forever at exit if the reader of the log is gone.
    stream: process.stdout,
    level: LOG_LEVEL,
    autoLogging: false,
    // pino copies the message of an error in the field `errorKey` into `msg`, where nothing hides quoted
    // input. No field is named `unused`.
    errorKey: 'unused',
    formatters: { log: redactUnlistedFields },
    hooks: {
      // pino also copies the message of an error that is the first argument. An error in a field `err` is
      // not copied.
      logMethod(args, method) {
        const [first, ...others] = args as [unknown, ...string[]];
        method.call(this, first instanceof Error ? { err: first } : first, ...others);
      },
    },
    serializers: {
      // An error of Redis contains the command that failed; a login command contains the password.
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
  // `error` may even be undefined, because any value can be thrown.
  const { type, message, stack = '', code } = Object(error) as LoggedError;
  if (!hasQuotedInput({ type, code })) return { type, message, stack, code };
  const stackFrames = stack.split('\n').filter((line) => /^ {4}at /.test(line));
  return { type, message: '[quotes its input]', stack: stackFrames.join('\n'), code };
}

/** JSON.parse and PostgreSQL's data exceptions (SQLSTATE class 22) quote the input. */
const hasQuotedInput = ({ type, code }: LoggedError): boolean =>
  type === 'SyntaxError' || (type === 'DatabaseError' && /^22/.test(code ?? ''));
