import { StartupError } from '#errors';
import { cleanEnv, EnvMissingError, type CleanedEnv, type ValidatorSpec } from 'envalid';
import { readSecretFiles } from './secrets/secret-files.js';
import { describeUnknownVariables } from './unknown-variables.js';
import * as variables from './variables.js';

/** Thrown if the environment is invalid. The message names all problems, not only the first. */
export class ConfigError extends StartupError {
  override readonly name = 'ConfigError';
}

export const apiVariables = {
  ...variables.common,
  ...variables.database,
  ...variables.queue,
  ...variables.secrets,
  ...variables.auth,
  ...variables.documents,
  ...variables.assetStorage,
  ...variables.api,
  ...variables.assets,
  ...variables.mail,
  ...variables.webhooks,
  ...variables.metrics,
  ...variables.tracing,
  ...variables.development,
};
export const workerVariables = {
  ...variables.common,
  ...variables.database,
  ...variables.queue,
  ...variables.secrets,
  ...variables.documents,
  ...variables.assetStorage,
  ...variables.worker,
  ...variables.webhooks,
  ...variables.metrics,
  ...variables.tracing,
};
export const restoreVariables = { ...variables.database, ...variables.secrets };
export const migrateVariables = { ...variables.common, ...variables.database };

export type ApiConfig = Readonly<CleanedEnv<typeof apiVariables>>;
export type WorkerConfig = Readonly<CleanedEnv<typeof workerVariables>>;
export type RestoreConfig = Readonly<CleanedEnv<typeof restoreVariables>>;
type MigrateConfig = Readonly<CleanedEnv<typeof migrateVariables>>;

const STANDARD_WEBHOOKS_SECRET = /^whsec_[A-Za-z\d+/]+={0,2}$/;

const SECRETS_KEY_RENAMED =
  'SECRETS_KEYS replaces SECRETS_KEY and SECRETS_KEYS_OLD: set SECRETS_KEYS to the key of SECRETS_KEY, followed by the keys of SECRETS_KEYS_OLD, separated by commas';

type Environment = Record<string, string | undefined>;

/** @throws ConfigError if a variable is missing or invalid. */
export const loadApiConfig = (env: Environment): ApiConfig => parseEnvironment(env, apiVariables);
export const loadWorkerConfig = (env: Environment): WorkerConfig =>
  parseEnvironment(env, workerVariables);
export const loadMigrateConfig = (env: Environment): MigrateConfig =>
  parseEnvironment(env, migrateVariables);
export const loadRestoreConfig = (env: Environment): RestoreConfig =>
  parseEnvironment(env, restoreVariables);

/**
 * The URL that leads to PostgreSQL without a connection pooler. Some work, such as a migration, is impossible through a
 * pooler.
 */
export const resolveDirectUrl = (
  config: Pick<MigrateConfig, 'DATABASE_URL' | 'DATABASE_DIRECT_URL'>,
): string => config.DATABASE_DIRECT_URL ?? config.DATABASE_URL;

/**
 * Returns the problems in the variables of the API, the worker and the migrations, and the values of all valid
 * variables.
 */
export function inspectEnvironment(env: Environment): {
  problems: string[];
  values: Partial<ApiConfig & WorkerConfig>;
} {
  return cleanEnvironment(env, { ...apiVariables, ...workerVariables });
}

function parseEnvironment<Specs extends Record<string, ValidatorSpec<unknown>>>(
  env: Environment,
  specs: Specs,
): CleanedEnv<Specs> {
  const { problems, values } = cleanEnvironment(env, specs);
  if (problems.length > 0) {
    const { SECRETS_KEY, SECRETS_KEYS_OLD, ...others } = env;
    const unknown = describeUnknownVariables(problems.includes(SECRETS_KEY_RENAMED) ? others : env);
    const lines = unknown === undefined ? problems : [...problems, unknown];
    throw new ConfigError(
      `The configuration has problems:\n${lines.map((line) => `  ${line}`).join('\n')}`,
    );
  }
  return values;
}

function cleanEnvironment<Specs extends Record<string, ValidatorSpec<unknown>>>(
  env: Environment,
  specs: Specs,
): { problems: string[]; values: CleanedEnv<Specs> } {
  const files = readSecretFiles(withoutBlanks(env), specs);
  const problems = [...files.problems.values()];
  const cleaned = cleanEnv(files.env, specs, {
    reporter: ({ errors, env: values }) => {
      for (const [name, error] of Object.entries<Error | undefined>(errors)) {
        if (files.problems.has(name)) continue;
        if (name === 'SECRETS_KEYS' && (env['SECRETS_KEY'] ?? env['SECRETS_KEYS_OLD'])) {
          problems.push(SECRETS_KEY_RENAMED);
          continue;
        }
        const { desc = '' } = specs[name] ?? {};
        problems.push(`${name} ${describeProblem(error, specs[name])}: ${desc}`);
      }
      if (hasInvalidClerkSecret(values as Partial<ApiConfig>)) {
        problems.push(
          'AUTH_WEBHOOK_SECRET must be whsec_ followed by base64 if AUTH_WEBHOOK_PROVIDER is clerk',
        );
      }
      const { NODE_ENV, SAMPLE_RECEIVER_URL } = values as Partial<ApiConfig>;
      if (NODE_ENV === 'production' && SAMPLE_RECEIVER_URL !== undefined) {
        problems.push('SAMPLE_RECEIVER_URL is only for development: unset it in production');
      }
      const { SMTP_URL, MAIL_FROM } = values as Partial<ApiConfig>;
      if (SMTP_URL !== undefined && MAIL_FROM === undefined && errors['MAIL_FROM'] === undefined) {
        problems.push('MAIL_FROM is not set: it is required because SMTP_URL is set');
      }
      const { ASSETS_STORAGE, ASSETS_URL, PUBLIC_URL } = values as Partial<ApiConfig>;
      if ('ASSETS_URL' in specs && ASSETS_STORAGE !== undefined && !(ASSETS_URL ?? PUBLIC_URL)) {
        problems.push(
          'ASSETS_URL or PUBLIC_URL is not set: one of them is required because ASSETS_STORAGE is set',
        );
      }
      // For the doctor, `specs` contains the variables of both programs. Only PORT is compared then, because the worker
      // may run on another machine.
      const name = 'PORT' in specs ? 'PORT' : 'WORKER_PORT';
      const { METRICS_PORT, [name]: port } = values as Partial<ApiConfig & WorkerConfig>;
      if (METRICS_PORT !== undefined && METRICS_PORT === port) {
        problems.push(`METRICS_PORT and ${name} are both ${port}: set one of them to another port`);
      }
    },
  });
  return { problems, values: { ...cleaned } };
}

/**
 * Detects secrets that are not valid for Standard Webhooks. With such a secret, Galley would start, but would refuse
 * every message from Clerk with 401.
 */
function hasInvalidClerkSecret(values: Partial<ApiConfig>): boolean {
  const { AUTH_WEBHOOK_PROVIDER: provider, AUTH_WEBHOOK_SECRET: secrets } = values;
  return (
    provider === 'clerk' &&
    !(secrets ?? []).every((secret) => STANDARD_WEBHOOKS_SECRET.test(secret))
  );
}

/**
 * Quotes only the messages of Galley's own validators. The messages of envalid repeat the value, which may be a secret.
 */
function describeProblem(error: Error | undefined, spec?: ValidatorSpec<unknown>): string {
  if (error instanceof EnvMissingError) return 'is not set';
  if (error?.message.startsWith('must ')) return error.message;
  return spec?.choices ? `must be one of ${spec.choices.join(', ')}` : 'is not valid';
}

/** A variable with an empty value (`REDIS_URL=`, as in compose files) counts as unset. */
function withoutBlanks(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
}
