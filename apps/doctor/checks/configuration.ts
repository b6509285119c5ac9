import { variables, type inspectEnvironment } from '#config';
import { findingsOn, type Finding } from '../finding.js';

export type Configuration = ReturnType<typeof inspectEnvironment>;

const on = findingsOn('configuration');

const KNOWN_NAMES = new Set(Object.values(variables).flatMap((group) => Object.keys(group)));
// Programs of others use these prefixes, too.
const SHARED_PREFIXES = ['HOST', 'LOG', 'NODE', 'OTEL', 'PORT'];
const PREFIXES = new Set(
  [...KNOWN_NAMES]
    .map((name) => `${name.split('_')[0]}_`)
    .filter((prefix) => !SHARED_PREFIXES.includes(prefix.slice(0, -1))),
);

/** Names variables only: their values may be secrets. */
export function checkConfiguration(
  { problems, values }: Configuration,
  env: NodeJS.ProcessEnv,
): Finding[] {
  const findings = problems.map((problem) => on.problem(`${problem}.`));
  for (const name of Object.keys(env)) {
    const prefix = `${name.split('_')[0]}_`;
    if (PREFIXES.has(prefix) && !KNOWN_NAMES.has(name)) {
      findings.push(on.warning(`Galley has no variable ${name}: check its spelling.`));
    }
  }
  const { NODE_ENV, AUTH_ISSUER, SECRETS_KEY, SECRETS_KEYS_OLD = [] } = values;
  if (NODE_ENV !== undefined && NODE_ENV !== 'production') {
    findings.push(on.warning(`NODE_ENV is ${NODE_ENV}, so webhooks may have http:// URLs.`));
  } else if (AUTH_ISSUER?.startsWith('http:')) {
    findings.push(
      on.warning('AUTH_ISSUER begins with http://, so anybody on the way can replace its keys.'),
    );
  }
  if (SECRETS_KEY !== undefined && SECRETS_KEYS_OLD.some((key) => key.equals(SECRETS_KEY))) {
    findings.push(on.warning('SECRETS_KEYS_OLD contains SECRETS_KEY: remove it there.'));
  }
  return findings.length > 0 ? findings : [on.ok('All variables are valid.')];
}
