import { Logger, type INestApplicationContext } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';

/** Tests set a shorter time before the program starts. */
export const SHUTDOWN_TIMES = {
  // docs/run/operations.md tells operators to allow 30 s. After that time, Compose and most platforms kill a program,
  // which then cannot write a log line.
  maxMs: 28_000,
};

const HOOKS = ['beforeApplicationShutdown', 'onApplicationShutdown'] as const;
type Hooks = Partial<Record<(typeof HOOKS)[number], (signal?: string) => unknown>>;

const logger = new Logger('Shutdown');
/** The classes whose shutdown hooks are running. */
const underWay = new Set<string>();
let isGuarding = false;

/**
 * Ends the program with exit code 1 if its shutdown takes too long after a signal, for example because PostgreSQL
 * does not respond. A log line says what was still under way.
 */
export function endInTime(app: INestApplicationContext): void {
  for (const { providers } of app.get(ModulesContainer).values()) {
    for (const { instance } of providers.values()) watchHooks(instance);
  }
  if (isGuarding) return;
  isGuarding = true;
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, guard);
}

function guard(): void {
  setTimeout(() => {
    const steps = underWay.size > 0 ? [...underWay].join(', ') : 'startup';
    logger.error(
      { stage: 'shutdown' },
      `The program did not shut down within ${SHUTDOWN_TIMES.maxMs / 1_000} s, so it is forced to exit. Still running: ${steps}.`,
    );
    process.exit(1);
  }, SHUTDOWN_TIMES.maxMs);
}

/** Records which hooks are running, because Nest itself does not report this. */
function watchHooks(instance: unknown): void {
  const hooks = Object(instance) as Hooks;
  for (const name of HOOKS) {
    const run = hooks[name]?.bind(hooks);
    if (run === undefined) continue;
    hooks[name] = async (signal) => {
      const step = hooks.constructor.name;
      underWay.add(step);
      try {
        await run(signal);
      } finally {
        underWay.delete(step);
      }
    };
  }
}
