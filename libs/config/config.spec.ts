import { describe, expect, it } from '@jest/globals';
import { ConfigError, loadApiConfig, loadMigrateConfig, loadWorkerConfig } from './config.js';
import { describeUnknownVariables } from './unknown-variables.js';

const validEnvironment = {
  DATABASE_URL: 'postgres://galley@127.0.0.1:5432/galley',
  AUTH_ISSUER: 'https://id.example.com',
  AUTH_AUDIENCE: 'galley',
  SECRETS_KEYS: Buffer.alloc(32, 1).toString('base64'),
};

const problemsOf = (env: Record<string, string | undefined>): string => {
  try {
    loadApiConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
  }
  throw new Error('the configuration was accepted');
};

describe('configuration', () => {
  it('requires four variables, and has defaults for all others', () => {
    expect(loadApiConfig(validEnvironment)).toMatchObject({ PORT: 3000, NODE_ENV: 'production' });
  });

  it('requires only the variables that the program uses', () => {
    const { DATABASE_URL, SECRETS_KEYS } = validEnvironment;
    expect(loadWorkerConfig({ DATABASE_URL, SECRETS_KEYS }).WORKER_CONCURRENCY).toBe(500);
    expect(loadMigrateConfig({ DATABASE_URL }).DATABASE_URL).toBe(DATABASE_URL);
  });

  it('names every problem in one message', () => {
    const message = problemsOf({ DATABASE_URL: 'mysql://x', PORT: 'many', SECRETS_KEYS: 'short' });
    for (const name of ['DATABASE_URL', 'PORT', 'SECRETS_KEYS', 'AUTH_ISSUER', 'AUTH_AUDIENCE']) {
      expect(message).toContain(name);
    }
  });

  it('says which variable replaces SECRETS_KEY', () => {
    const { SECRETS_KEYS: SECRETS_KEY, ...others } = validEnvironment;
    const message = problemsOf({ ...others, SECRETS_KEY, SECRETS_KEYS_OLD: SECRETS_KEY });
    expect(message).toMatch(
      /SECRETS_KEYS replaces SECRETS_KEY and SECRETS_KEYS_OLD: set SECRETS_KEYS to/,
    );
    expect(message).not.toContain('is not set');
  });

  it('refuses a duplicate key', () => {
    const { SECRETS_KEYS: key } = validEnvironment;
    const message = problemsOf({ ...validEnvironment, SECRETS_KEYS: `${key},${key}` });
    expect(message).toContain('SECRETS_KEYS must not contain the same key twice');
    expect(message).not.toContain(key);
  });

  it('refuses a second sslmode, because the driver would use the last one', () => {
    const url = 'postgres://h/d?sslmode=verify-full&sslmode=disable';
    const message = problemsOf({ ...validEnvironment, DATABASE_URL: url });
    expect(message).toContain('DATABASE_URL must have only one sslmode');
  });

  it('never repeats a value, which may be a secret', () => {
    const message = problemsOf({ ...validEnvironment, DATABASE_URL: 'mysql://u:hunter2@h/d' });
    expect(message).not.toContain('hunter2');
  });

  it.each(['AUTH_ISSUER', 'AUTH_JWKS_URI'])('refuses a password in %s', (name) => {
    const url = 'https://galley:hunter2@tenant.example.com';
    const message = problemsOf({ ...validEnvironment, [name]: url });
    expect(message).toMatch(new RegExp(`${name} must be a URL .* without a password`));
    expect(message).not.toContain('hunter2');
  });

  it('accepts a JWKS URL instead of an issuer', () => {
    const { AUTH_ISSUER, ...rest } = validEnvironment;
    const AUTH_JWKS_URI = `${AUTH_ISSUER}/keys`;
    expect(loadApiConfig({ ...rest, AUTH_JWKS_URI }).AUTH_JWKS_URI).toBe(AUTH_JWKS_URI);
  });

  it('requires AUTH_ISSUER if AUTH_WEBHOOK_SECRET is set', () => {
    const { AUTH_ISSUER, ...rest } = validEnvironment;
    const jwksOnly = { ...rest, AUTH_JWKS_URI: `${AUTH_ISSUER}/keys` };
    expect(problemsOf({ ...jwksOnly, AUTH_WEBHOOK_SECRET: `whsec_${'A'.repeat(32)}` })).toContain(
      'AUTH_ISSUER',
    );
  });

  it.each([
    ['short', 'clerk', 'must be one secret of 16 or more characters'],
    ['a'.repeat(32), 'clerk', 'must be whsec_ followed by base64'],
    [Array(3).fill('a'.repeat(32)).join(), 'workos', 'two separated by a comma'],
    ['a'.repeat(32), 'okta', 'AUTH_WEBHOOK_PROVIDER must be one of clerk, workos, auth0, logto'],
  ])('refuses %s as the secret of %s', (secret, provider, problem) => {
    const webhook = { AUTH_WEBHOOK_PROVIDER: provider, AUTH_WEBHOOK_SECRET: secret };
    expect(problemsOf({ ...validEnvironment, ...webhook })).toContain(problem);
  });

  it('refuses a sample receiver in production', () => {
    const environment = { ...validEnvironment, SAMPLE_RECEIVER_URL: 'http://127.0.0.1:3003/' };
    expect(problemsOf(environment)).toContain('SAMPLE_RECEIVER_URL is only for development');
    expect(loadApiConfig({ ...environment, NODE_ENV: 'development' })).toHaveProperty(
      'SAMPLE_RECEIVER_URL',
      environment.SAMPLE_RECEIVER_URL,
    );
  });

  it.each([
    ['smtp://mail.example.com', { host: 'mail.example.com', port: 587, isTls: false }],
    ['smtps://[::1]', { host: '::1', port: 465, isTls: true }],
    [
      'smtp://ada%40example.com:p%3Ass@relay:25/',
      {
        host: 'relay',
        port: 25,
        isTls: false,
        login: { user: 'ada@example.com', password: 'p:ss' },
      },
    ],
  ])('accepts the SMTP server %s', (SMTP_URL, server) => {
    const mail = { SMTP_URL, MAIL_FROM: 'Galley <galley@example.com>' };
    expect(loadApiConfig({ ...validEnvironment, ...mail })).toMatchObject({
      SMTP_URL: server,
      MAIL_FROM: { name: 'Galley', address: 'galley@example.com' },
    });
  });

  it.each([
    'mail.example.com',
    'http://mail.example.com',
    'smtp://',
    'smtp://ada:hunter2@mail.example.com/path',
    'smtp://ada:hunter2@mail.example.com?logger=true',
    'smtp://ada:hunter2@mail.example.com#part',
    'smtp://hunter2@mail.example.com',
    'smtp://:hunter2@mail.example.com',
    'smtp://ada:hunter2%@mail.example.com',
  ])('refuses the SMTP server %s, without its password', (SMTP_URL) => {
    const message = problemsOf({ ...validEnvironment, SMTP_URL, MAIL_FROM: 'a@example.com' });
    expect(message).toMatch(/SMTP_URL (?:must|is not valid)/);
    expect(message).not.toContain('hunter2');
  });

  it('requires a sender for an SMTP server', () => {
    const SMTP_URL = 'smtp://mail.example.com';
    expect(problemsOf({ ...validEnvironment, SMTP_URL })).toContain(
      'MAIL_FROM is not set: it is required because SMTP_URL is set',
    );
  });

  const bucket = {
    endpoint: 'https://s3.example.com',
    region: 'us-east-1',
    bucket: 'pictures',
    prefix: '',
    credentials: undefined,
  };
  it.each([
    ['/var/lib/galley/assets', { folder: '/var/lib/galley/assets' }],
    ['s3://s3.example.com/pictures', bucket],
    [
      's3+http://key:p%2Fss@localhost:9000/pictures/a/b/?region=eu-central-1',
      {
        endpoint: 'http://localhost:9000',
        region: 'eu-central-1',
        bucket: 'pictures',
        prefix: 'a/b/',
        credentials: { accessKeyId: 'key', secretAccessKey: 'p/ss' },
      },
    ],
  ])('accepts the storage %s', (ASSETS_STORAGE, location) => {
    const environment = { ...validEnvironment, ASSETS_STORAGE, ASSETS_URL: 'https://example.com' };
    expect(loadApiConfig(environment).ASSETS_STORAGE).toEqual(location);
  });

  it.each([
    'assets',
    './assets',
    's3://',
    's3://s3.example.com',
    's3://s3.example.com/pictures#hunter2',
    's3://s3.example.com/pictures?secret=hunter2',
    's3://hunter2@s3.example.com/pictures',
    's3://:hunter2@s3.example.com/pictures',
    's3://key:hunter2%@s3.example.com/pictures',
    'https://key:hunter2@s3.example.com/pictures',
  ])('refuses the storage %s, without its secret', (ASSETS_STORAGE) => {
    const message = problemsOf({
      ...validEnvironment,
      ASSETS_STORAGE,
      ASSETS_URL: 'https://x.example',
    });
    expect(message).toMatch(/ASSETS_STORAGE (?:must|is not valid)/);
    expect(message).not.toContain('hunter2');
  });

  it('requires a public URL for a storage', () => {
    const environment = { ...validEnvironment, ASSETS_STORAGE: '/var/lib/galley' };
    expect(problemsOf(environment)).toContain(
      'ASSETS_URL or PUBLIC_URL is not set: one of them is required because ASSETS_STORAGE is set',
    );
    expect(loadApiConfig({ ...environment, PUBLIC_URL: 'https://example.com' })).toBeDefined();
  });

  it.each(['Galley', 'a@b, c@d', 'a@b\r\nBcc: c@d', 'Galley <a@b> <c@d>', '"x" <a@b>', '<a b@c>'])(
    'refuses the sender %j',
    (MAIL_FROM) => {
      expect(problemsOf({ ...validEnvironment, MAIL_FROM })).toContain('MAIL_FROM must');
    },
  );

  it.each(['example.com', '*@example.com ada', '@', '@a@b', 'ada@example.com,'])(
    'refuses the recipients %j',
    (TEST_SEND_RECIPIENTS) => {
      expect(problemsOf({ ...validEnvironment, TEST_SEND_RECIPIENTS })).toContain(
        'TEST_SEND_RECIPIENTS must',
      );
    },
  );

  it('accepts origins of browser apps', () => {
    const CORS_ORIGINS = 'https://app.example.com, http://localhost:5173,http://[::1]:3000';
    expect(loadApiConfig({ ...validEnvironment, CORS_ORIGINS }).CORS_ORIGINS).toEqual([
      'https://app.example.com',
      'http://localhost:5173',
      'http://[::1]:3000',
    ]);
  });

  it.each([
    '*',
    'null',
    'app.example.com',
    'https://app.example.com/',
    'https://app.example.com/path',
    'https://app.example.com:443',
    'https://*.example.com',
    'https://App.example.com',
    'ftp://app.example.com',
    'https://app.example.com,',
  ])('refuses the origins %s', (CORS_ORIGINS) => {
    expect(problemsOf({ ...validEnvironment, CORS_ORIGINS })).toContain('CORS_ORIGINS must');
  });

  it.each(['0.0.0.0/0', '::/0', '10.0.0.0/33', 'proxy', '10.0.0.1,', 'loopback'])(
    'refuses the proxies %s',
    (proxies) => {
      expect(problemsOf({ ...validEnvironment, TRUSTED_PROXIES: proxies })).toContain(
        'TRUSTED_PROXIES must',
      );
    },
  );

  it.each([
    { RATE_LIMIT_USER: '-1' },
    { RATE_LIMIT_ADDRESS: 'many' },
    { RATE_LIMIT_USER: '1e3' },
    { MAX_BODY_BYTES: '1023' },
    { MAX_BODY_BYTES: '104857601' },
    { MAX_BODY_BYTES: '1 MiB' },
    { MAX_NESTING: '0' },
    { MAX_NESTING: '501' },
    { MAX_NESTING: '6.4' },
  ])('refuses %j', (limit) => {
    expect(problemsOf({ ...validEnvironment, ...limit })).toContain(
      `${Object.keys(limit).join()} must be a whole number from`,
    );
  });

  it('accepts 0 for no rate limit', () => {
    const config = loadApiConfig({
      ...validEnvironment,
      RATE_LIMIT_USER: '0',
      RATE_LIMIT_ADDRESS: '0',
    });
    expect(config).toMatchObject({ RATE_LIMIT_USER: 0, RATE_LIMIT_ADDRESS: 0 });
  });

  it('refuses the same port for the metrics and the program', () => {
    const { DATABASE_URL, SECRETS_KEYS } = validEnvironment;
    const METRICS_PORT = '3001';
    expect(problemsOf({ ...validEnvironment, PORT: '3001', METRICS_PORT })).toContain(
      'METRICS_PORT and PORT are both 3001',
    );
    expect(() => loadWorkerConfig({ DATABASE_URL, SECRETS_KEYS, METRICS_PORT })).toThrow(
      'METRICS_PORT and WORKER_PORT are both 3001: set one of them to another port',
    );
    expect(loadApiConfig({ ...validEnvironment, METRICS_PORT }).METRICS_HOST).toBe('127.0.0.1');
  });

  it('names variables that are probably misspelt, without their values', () => {
    const environment = {
      WORKER_CONCURRENT: 'hunter2',
      MAX_BODY_BYTE: '1',
      SECRETS_KEYS_FILE: '/x',
    };
    expect(describeUnknownVariables({ ...environment, PATH: '/', HOSTNAME: 'x' })).toBe(
      'Galley has no variables WORKER_CONCURRENT, MAX_BODY_BYTE: check the spelling.',
    );
    expect(() => loadMigrateConfig({ DATABASE_UR: 'hunter2' })).toThrow(
      /DATABASE_URL is not set.*\n {2}Galley has no variable DATABASE_UR: check the spelling\.$/,
    );
    const misspelt = ['METRIC_PORT', 'REDISURL', 'LOGLEVEL', 'SECRET_KEYS'];
    for (const name of misspelt) {
      expect(describeUnknownVariables({ [name]: 'hunter2' })).toContain(` ${name}: `);
    }
    const others = ['SECRETS_KEYS_FILE', 'HOME', 'POST', 'LANG', 'NODE_OPTIONS', 'SHELL'];
    const environmentOfOthers = Object.fromEntries(others.map((name) => [name, '/x']));
    expect(describeUnknownVariables(environmentOfOthers)).toBeUndefined();
  });

  it('treats a blank variable as unset', () => {
    expect(loadApiConfig({ ...validEnvironment, REDIS_URL: '' }).REDIS_URL).toBeUndefined();
  });
});
