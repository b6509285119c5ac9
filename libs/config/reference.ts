import * as groups from './variables.js';

interface Variable {
  desc?: string;
  default?: unknown;
  example?: string;
  requiredWhen?: unknown;
}

const TITLES: Record<keyof typeof groups, string> = {
  common: 'Every app',
  database: 'Every app',
  queue: 'API and worker',
  secrets: 'API and worker',
  auth: 'API',
  api: 'API',
  worker: 'Worker',
  webhooks: 'API and worker',
};

const variables = Object.entries(groups).flatMap(([group, specs]) =>
  Object.entries<Variable>(specs).map(([name, variable]) => ({
    name,
    app: TITLES[group as keyof typeof groups],
    about: variable.desc ?? '',
    required: !('default' in variable),
    fallback: valueOf(variable.default),
    example: variable.example ?? '',
  })),
);

function valueOf(value: unknown): string {
  return value === undefined || Array.isArray(value) ? '' : String(value);
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
