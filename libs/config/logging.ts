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
  /** The error itself. */
  raw?: Error;
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
  'keyId',
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
  new ProgramLogger(new PinoLogger({ pinoHttp: logOptions(config) }), {});

/** Logs what a library writes to the console, such as a warning of ioredis, so that it is JSON, too. */
export function logConsole(logger: LoggerService): void {
  const logAs =
    (level: 'log' | 'warn' | 'error') =>
    (...texts: unknown[]) => {
      const err = texts.find((text) => text instanceof Error);
      // An error is serialised as in other lines, which hides what it quotes.
      logger[level](err === undefined ? format(...texts) : { err }, 'console');
    };
  Object.assign(console, { log: logAs('log'), warn: logAs('warn'), error: logAs('error') });
}

// At each start, Nest logs more than a hundred lines in these contexts about what it has found in Galley.
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
  // In an outage, each request fails for the same reason, and a stack is 2 KB. So most stacks are left out.
  const hasAllStacks = ['debug', 'trace'].includes(LOG_LEVEL);
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
      // pino also copies the message of an error that is the first argument. An error in a field `err` is not copied.
      logMethod(args, method) {
        const [first, ...others] = args as [unknown, ...string[]];
        method.call(this, first instanceof Error ? { err: first } : first, ...others);
      },
    },
    serializers: {
      // An error of Redis contains the command that failed; a login command contains the password.
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

/** The code of the first error of a chain, such as ECONNREFUSED. */
function findCauseCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !(error.cause instanceof Error)) return undefined;
  const { code } = error.cause as NodeJS.ErrnoException;
  return findCauseCode(error.cause) ?? (typeof code === 'string' ? code : undefined);
}

/** JSON.parse and PostgreSQL's data exceptions (SQLSTATE class 22) quote the input. */
const hasQuotedInput = ({ type, code }: LoggedError): boolean =>
  type === 'SyntaxError' || (type === 'DatabaseError' && /^22/.test(code ?? ''));
