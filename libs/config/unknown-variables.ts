import type { LoggerService } from '@nestjs/common';
import leven from 'leven';
import { fileVariable, isSecret } from './secrets/secret.js';
import * as groups from './variables.js';

const KNOWN_NAMES = new Set(
  Object.values(groups).flatMap((group) =>
    Object.entries<object>(group).flatMap(([name, spec]) =>
      isSecret(spec) ? [name, fileVariable(name)] : [name],
    ),
  ),
);
// Other programs use these prefixes as well.
const SHARED_PREFIXES = ['HOST', 'LOG', 'NODE', 'OTEL', 'PORT'];
const PREFIXES = new Set(
  [...KNOWN_NAMES]
    .map((name) => `${name.split('_')[0]}_`)
    .filter((prefix) => !SHARED_PREFIXES.includes(prefix.slice(0, -1))),
);

/**
 * Whether a name differs from a known name by one letter. Short names do not count, because many variables of other
 * programs resemble a short name by chance.
 */
const isNearlyKnown = (name: string): boolean =>
  [...KNOWN_NAMES].some(
    (known) => known.length > 4 && leven(name, known, { maxDistance: 2 }) === 1,
  );

/**
 * Names the variables that look like Galley's but are unknown, and are therefore probably misspelt. Returns undefined
 * if there are none.
 */
export function describeUnknownVariables(env: NodeJS.ProcessEnv): string | undefined {
  const unknown = Object.keys(env).filter(
    (name) =>
      !KNOWN_NAMES.has(name) && (PREFIXES.has(`${name.split('_')[0]}_`) || isNearlyKnown(name)),
  );
  if (unknown.length === 0) return undefined;
  const noun = unknown.length === 1 ? 'variable' : 'variables';
  return `Galley has no ${noun} ${unknown.join(', ')}: check the spelling.`;
}

/** Names the variables but never their values, which may be secrets. */
export function warnOfUnknownVariables(env: NodeJS.ProcessEnv, logger: LoggerService): void {
  const problem = describeUnknownVariables(env);
  if (problem !== undefined) logger.warn({ stage: 'configuration', problem });
}
