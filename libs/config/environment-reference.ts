import * as groups from './variables.js';

interface Variable {
  desc?: string;
  default?: unknown;
  example?: string;
  requiredWhen?: unknown;
}

const GROUPS: [usedBy: string, specs: Record<string, Variable>][] = [
  ['every app', groups.database],
  ['API, worker', groups.secrets],
  ['API', groups.auth],
  ['API, worker', groups.queue],
  ['API, worker', groups.webhooks],
  ['API', groups.api],
  ['worker', groups.worker],
  ['API, worker', groups.metrics],
  ['API, worker', groups.tracing],
  ['every app', groups.common],
  ['API', groups.development],
];

const variables = GROUPS.flatMap(([usedBy, specs]) =>
  Object.entries(specs).map(([name, variable]) => ({
    name,
    usedBy,
    description: variable.desc ?? '',
    isRequired: !('default' in variable) || variable.requiredWhen !== undefined,
    defaultValue: formatDefault(variable.default),
    example: variable.example ?? '',
  })),
);

function formatDefault(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

// docs/identity.md has the full instructions for each provider.
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
 * `.env.example`: one line for each variable, commented out unless the variable is required; then an example
 * for each identity provider.
 */
export function environmentExample(): string {
  const lines = variables.map(({ name, description, isRequired, defaultValue, example }) =>
    isRequired
      ? `${name}=${example} # ${description}`
      : `# ${name}=${defaultValue || example} # ${description}`,
  );
  return `${[...lines, '', ...PROVIDER_EXAMPLES].join('\n')}\n`;
}

/** The table in docs/configuration.md. */
export function environmentTable(): string {
  const rows = variables.map(({ name, usedBy, description, isRequired, defaultValue }) => {
    const defaultCell = isRequired
      ? '**required**'
      : defaultValue === ''
        ? ''
        : `\`${defaultValue}\``;
    return `| \`${name}\` | ${usedBy} | ${defaultCell} | ${description} |`;
  });
  return [
    '| variable | used by | default | what it does |',
    '| --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
}
