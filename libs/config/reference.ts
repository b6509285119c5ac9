import * as groups from './variables.js';

interface Variable {
  desc?: string;
  default?: unknown;
  example?: string;
  requiredWhen?: unknown;
}

const GROUPS: [app: string, specs: Record<string, Variable>][] = [
  ['every app', groups.database],
  ['API, worker', groups.secrets],
  ['API', groups.auth],
  ['API, worker', groups.queue],
  ['API, worker', groups.webhooks],
  ['API', groups.api],
  ['worker', groups.worker],
  ['every app', groups.common],
];

const variables = GROUPS.flatMap(([app, specs]) =>
  Object.entries(specs).map(([name, variable]) => ({
    name,
    app,
    about: variable.desc ?? '',
    required: !('default' in variable) || variable.requiredWhen !== undefined,
    fallback: printed(variable.default),
    example: variable.example ?? '',
  })),
);

function printed(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

// What docs/identity.md says at length.
const PROVIDERS = [
  '# Clerk, with a JWT template that has an "aud":',
  '# AUTH_ISSUER=https://<slug>.clerk.accounts.dev',
  '# AUTH_JWKS_URI=https://<slug>.clerk.accounts.dev/.well-known/jwks.json',
  '# AUTH_WEBHOOK_PROVIDER=clerk',
  '# AUTH_WEBHOOK_SECRET=whsec_<signing secret>',
  '# WorkOS, with a JWT template that has an "aud":',
  '# AUTH_ISSUER=https://api.workos.com/user_management/<client id>',
  '# AUTH_JWKS_URI=https://api.workos.com/sso/jwks/<client id>',
  '# AUTH_WEBHOOK_PROVIDER=workos',
  '# AUTH_WEBHOOK_SECRET=<signing secret>',
  '# Auth0, with an API whose identifier is AUTH_AUDIENCE, and an event stream:',
  '# AUTH_ISSUER=https://<tenant>.<region>.auth0.com/',
  '# AUTH_WEBHOOK_PROVIDER=auth0',
  '# AUTH_WEBHOOK_SECRET=<bearer token of the stream>',
  '# Logto, with an API resource whose identifier is AUTH_AUDIENCE:',
  '# AUTH_ISSUER=https://<tenant>.logto.app/oidc',
  '# AUTH_WEBHOOK_PROVIDER=logto',
  '# AUTH_WEBHOOK_SECRET=<signing key>',
];

/** `.env.example`: every variable in one line, those with a default commented out, and each provider's in a few. */
export function environmentExample(): string {
  const lines = variables.map(({ name, about, required, fallback, example }) =>
    required ? `${name}=${example} # ${about}` : `# ${name}=${fallback || example} # ${about}`,
  );
  return `${[...lines, '', ...PROVIDERS].join('\n')}\n`;
}

/** The table in the README. */
export function environmentTable(): string {
  const rows = variables.map(({ name, app, about, required, fallback }) => {
    const standard = required ? '**required**' : fallback === '' ? '' : `\`${fallback}\``;
    return `| \`${name}\` | ${app} | ${standard} | ${about} |`;
  });
  return [
    '| variable | used by | default | what it does |',
    '| --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
}
