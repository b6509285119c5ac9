import { readFileSync } from 'node:fs';
import { fileVariable, isSecret } from './secret.js';

type Environment = Record<string, string | undefined>;

interface SecretFiles {
  /** The environment with the contents of the files. */
  env: Environment;
  /** The problems, by the name of the secret variable. */
  problems: Map<string, string>;
}

/**
 * Reads secrets from files, because Docker and Kubernetes mount secrets as files. A line break at the end of a file was
 * added by an editor, and is not part of the secret.
 */
export function readSecretFiles(env: Environment, specs: Record<string, object>): SecretFiles {
  const values = { ...env };
  const problems = new Map<string, string>();
  for (const name of Object.keys(specs)) {
    const variable = fileVariable(name);
    const path = env[variable];
    if (path === undefined || !isSecret(specs[name] ?? {})) continue;
    if (env[name] !== undefined) {
      problems.set(name, `${name} and ${variable} are both set: unset one of them`);
      continue;
    }
    try {
      values[name] = readFileSync(path, 'utf8').replace(/[\r\n]+$/, '');
      if (values[name] === '') problems.set(name, `${variable} names an empty file: ${path}`);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      problems.set(name, `${variable} names a file that cannot be read (${code}): ${path}`);
    }
  }
  return { env: values, problems };
}
