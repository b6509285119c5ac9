import { describeUnknownVariables, type inspectEnvironment } from '#config';
import { findingsOn, type Finding } from '../finding.js';

export type Configuration = ReturnType<typeof inspectEnvironment>;

const on = findingsOn('configuration');

/** Findings name variables but never contain their values, which may be secrets. */
export function checkConfiguration(
  { problems, values }: Configuration,
  env: NodeJS.ProcessEnv,
): Finding[] {
  const findings = problems.map((problem) => on.problem(`${problem}.`));
  const unknown = describeUnknownVariables(env);
  if (unknown !== undefined) findings.push(on.warning(unknown));
  const { NODE_ENV, AUTH_ISSUER } = values;
  if (NODE_ENV !== undefined && NODE_ENV !== 'production') {
    findings.push(
      on.warning(
        `NODE_ENV is ${NODE_ENV}, so webhooks may have http:// URLs: unset NODE_ENV in production.`,
      ),
    );
  } else if (AUTH_ISSUER?.startsWith('http:')) {
    findings.push(
      on.warning(
        'AUTH_ISSUER begins with http://, so anyone on the network path can replace the signing keys: use https://.',
      ),
    );
  }
  return findings.length > 0 ? findings : [on.ok('All variables are valid.')];
}
