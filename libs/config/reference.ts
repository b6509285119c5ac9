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

/** `.env.example`: every variable in one line, those with a default commented out. */
export function environmentExample(): string {
  const lines = variables.map(({ name, about, required, fallback, example }) =>
    required ? `${name}=${example} # ${about}` : `# ${name}=${fallback || example} # ${about}`,
  );
  return `${lines.join('\n')}\n`;
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
