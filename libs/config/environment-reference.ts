import { apiVariables, migrateVariables, restoreVariables, workerVariables } from './config.js';
import { fileVariable, isSecret } from './secrets/secret.js';

interface Variable {
  desc?: string;
  default?: unknown;
  example?: string;
  requiredWhen?: unknown;
}

const PROGRAMS: [name: string, specs: Record<string, Variable>][] = [
  ['API', apiVariables],
  ['worker', workerVariables],
  ['migrate', migrateVariables],
];

// Built from the variables of the programs, so that no variable can be missing.
const specs: Record<string, Variable> = {
  ...restoreVariables,
  ...apiVariables,
  ...workerVariables,
  ...migrateVariables,
};

function listPrograms(name: string): string {
  const programs = PROGRAMS.filter(([, variables]) => name in variables).map(
    ([program]) => program,
  );
  return programs.length === PROGRAMS.length ? 'every app' : programs.join(', ');
}

const variables = Object.entries(specs).map(([name, variable]) => ({
  name,
  usedBy: listPrograms(name),
  description: variable.desc ?? '',
  isRequired: !('default' in variable) || variable.requiredWhen !== undefined,
  isSecret: isSecret(variable),
  defaultValue: formatDefault(variable.default),
  example: variable.example ?? '',
}));

function formatDefault(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

// docs/run/identity.md has the full instructions for each provider.
const PROVIDER_EXAMPLES = [
  '# Clerk; needs a JWT template with an "aud":',
  '# AUTH_ISSUER=https://<slug>.clerk.accounts.dev',
  '# AUTH_JWKS_URI=https://<slug>.clerk.accounts.dev/.well-known/jwks.json',
  '# AUTH_WEBHOOK_PROVIDER=clerk',
  '# AUTH_WEBHOOK_SECRET=whsec_<signing secret>',
  '# WorkOS; needs a JWT template with an "aud":',
  '# AUTH_ISSUER=https://api.workos.com/user_management/<client id>',
  '# AUTH_JWKS_URI=https://api.workos.com/sso/jwks/<client id>',
  '# AUTH_WEBHOOK_PROVIDER=workos',
  '# AUTH_WEBHOOK_SECRET=<signing secret>',
  '# Auth0; needs an API whose identifier is AUTH_AUDIENCE, and an event stream:',
  '# AUTH_ISSUER=https://<tenant>.<region>.auth0.com/',
  '# AUTH_WEBHOOK_PROVIDER=auth0',
  '# AUTH_WEBHOOK_SECRET=<bearer token of the stream>',
  '# Logto; needs an API resource whose identifier is AUTH_AUDIENCE:',
  '# AUTH_ISSUER=https://<tenant>.logto.app/oidc',
  '# AUTH_WEBHOOK_PROVIDER=logto',
  '# AUTH_WEBHOOK_SECRET=<signing key>',
];

/**
 * Generates `.env.example`: one line for each variable, commented out unless the variable is required, and then an
 * example for each identity provider.
 */
export function environmentExample(): string {
  const lines = variables.flatMap((variable) => {
    const { name, description, isRequired, defaultValue, example } = variable;
    const line = isRequired
      ? `${name}=${example} # ${description}`
      : `# ${name}=${defaultValue || example} # ${description}`;
    return variable.isSecret
      ? [line, `# ${fileVariable(name)}= # path of a file that contains the value of ${name}`]
      : [line];
  });
  return `${[...lines, '', ...PROVIDER_EXAMPLES].join('\n')}\n`;
}

/** Generates the table in docs/run/configuration.md. */
export function environmentTable(): string {
  const rows = variables.map((variable) => {
    const { name, usedBy, description, isRequired, defaultValue } = variable;
    const defaultCell = isRequired
      ? '**required**'
      : defaultValue === ''
        ? ''
        : `\`${defaultValue}\``;
    const file = variable.isSecret ? ` or \`${fileVariable(name)}\`` : '';
    return `| \`${name}\`${file} | ${usedBy} | ${defaultCell} | ${description} |`;
  });
  return [
    '| variable | used by | default | what it does |',
    '| --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
}
