import { format } from 'node:util';
import type { LoggerService } from '@nestjs/common';
import { Logger, PinoLogger } from 'nestjs-pino';
import type { Options } from 'pino-http';
import { RecentStacks } from './recent-stacks.js';

interface LogConfig {
  LOG_LEVEL: string;
}

interface LoggedError {
  type?: string;
  message?: string;
  stack?: string;
  code?: string;
  /** The original error, which pino adds to the serialised one. */
  raw?: Error;
}

/**
 * The fields that a log line may have in addition to its level, time and message. No field contains input from a client
 * or receiver.
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
  'keyId',
  'provider',
  'problem',
  'count',
]);
const REDACTED = '[not in LOGGED_FIELDS]';

/**
 * Creates the program's logger, which writes one JSON object per line from the first line on. Otherwise, Nest's own
 * logger would print coloured text until the modules are ready.
 */
export const createLogger = (config: LogConfig): LoggerService =>
  new ProgramLogger(new PinoLogger({ pinoHttp: logOptions(config) }), {});

/** Logs what libraries write to the console, such as a warning of ioredis, so that this output is JSON as well. */
export function logConsole(logger: LoggerService): void {
  const logAs =
    (level: 'log' | 'warn' | 'error') =>
    (...texts: unknown[]) => {
      const err = texts.find((text) => text instanceof Error);
      // Errors are serialised as in other lines, so that quoted input is hidden.
      logger[level](err === undefined ? format(...texts) : { err }, 'console');
    };
  Object.assign(console, { log: logAs('log'), warn: logAs('warn'), error: logAs('error') });
}

// On every start, Nest logs more than a hundred lines in these contexts about the modules and routes that it has found.
const NEST_CONTEXTS = [
  'NestFactory',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestApplication',
];

class ProgramLogger extends Logger {
  override log(message: unknown, ...optionalParams: unknown[]): void {
    const isFromNest = NEST_CONTEXTS.includes(String(optionalParams.at(-1)));
    if (isFromNest) this.debug(message, ...optionalParams);
    else super.log(message, ...optionalParams);
  }
}

export function logOptions({ LOG_LEVEL }: LogConfig): Options {
  const recentStacks = new RecentStacks();
  // In an outage, each request fails for the same reason, and a stack takes 2 KB. Most stacks are therefore omitted.
  const hasAllStacks = ['debug', 'trace'].includes(LOG_LEVEL);
  return {
    // pino's own writer would wait forever at exit if nothing read the log any more.
    stream: process.stdout,
    level: LOG_LEVEL,
    autoLogging: false,
    // If the field that `errorKey` names is an error, pino copies the message of the error into `msg`, where quoted
    // input is not hidden. No field has the name `unused`, so nothing is copied.
    errorKey: 'unused',
    formatters: { log: redactUnlistedFields },
    hooks: {
      // pino also copies the message of an error that is the first argument. Such an error is moved to the field `err`,
      // whose message is not copied.
      logMethod(args, method) {
        const [first, ...others] = args as [unknown, ...string[]];
        method.call(this, first instanceof Error ? { err: first } : first, ...others);
      },
    },
    serializers: {
      // Other fields of an error may contain secrets: a Redis error contains the command that failed, and a login command
      // contains the password.
      err: (error: unknown) => {
        const { stack, ...fields } = serializeError(error);
        const [frame] = /^ {4}at .*$/m.exec(stack ?? '') ?? [];
        const cause = [fields.type, fields.code, fields.message, frame].join();
        return hasAllStacks || recentStacks.isDue(cause) ? { ...fields, stack } : fields;
      },
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
  const { type, message, stack = '', code, raw } = Object(error) as LoggedError;
  if (!hasQuotedInput({ type, code }))
    return { type, message, stack, code: findCauseCode(raw) ?? code };
  const stackFrames = stack.split('\n').filter((line) => /^ {4}at /.test(line));
  return { type, message: '[quotes its input]', stack: stackFrames.join('\n'), code };
}

/** The code of the innermost cause that has a code, such as ECONNREFUSED. */
function findCauseCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !(error.cause instanceof Error)) return undefined;
  const { code } = error.cause as NodeJS.ErrnoException;
  return findCauseCode(error.cause) ?? (typeof code === 'string' ? code : undefined);
}

/** The errors of JSON.parse and PostgreSQL's data exceptions (SQLSTATE class 22) quote the input. */
const hasQuotedInput = ({ type, code }: LoggedError): boolean =>
  type === 'SyntaxError' || (type === 'DatabaseError' && /^22/.test(code ?? ''));
