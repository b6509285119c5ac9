import ipaddr from 'ipaddr.js';
import { makeExactValidator, makeValidator, port, str, url } from 'envalid';

const SECRETS_KEY_BYTES = 32;

const secretsKey = makeExactValidator<Buffer>((input) => {
  const key = Buffer.from(input, 'base64');
  if (key.length !== SECRETS_KEY_BYTES) {
    throw new Error(`must be ${SECRETS_KEY_BYTES} random bytes in base64`);
  }
  return key;
});

const secretsKeys = makeValidator<Buffer[]>((input) => {
  const keys = input.split(',').map((key) => Buffer.from(key.trim(), 'base64'));
  if (!keys.every(({ length }) => length === SECRETS_KEY_BYTES)) {
    throw new Error(
      `must be keys of ${SECRETS_KEY_BYTES} bytes in base64, with commas between them`,
    );
  }
  return keys;
});

const count = makeExactValidator<number>((input) => {
  if (!/^[1-9]\d{0,5}$/.test(input)) {
    throw new Error('must be a whole number above 0');
  }
  return Number(input);
});

const wholeNumber = (least: number, most: number) =>
  makeExactValidator<number>((input) => {
    if (!/^\d{1,12}$/.test(input) || Number(input) < least || Number(input) > most) {
      throw new Error(`must be a whole number from ${least} to ${most}`);
    }
    return Number(input);
  });

const quota = wholeNumber(0, 999_999_999);
// The memory for bodies is four times the larger one of these, and a single text in a body is read in one go:
// of 100 MiB that takes some 100 ms, in which nobody else is served.
const bodyBytes = wholeNumber(1024, 100 * 1024 * 1024);
// Far below what the stacks of PostgreSQL (max_stack_depth) and V8 take.
const levels = wholeNumber(1, 500);

// Nothing that may still be tried again is to go: the schedule, and Retry-After, take up to nine gaps of a day and a fifth.
const LEAST_DAYS = 11;

const days = makeExactValidator<number>((input) => {
  if (!/^\d{1,5}$/.test(input) || Number(input) < LEAST_DAYS) {
    throw new Error(`must be a whole number of at least ${LEAST_DAYS}`);
  }
  return Number(input);
});

const ranges = makeValidator<string[]>((input) => {
  const list = input.split(',').map((range) => range.trim());
  if (!list.every((range) => ipaddr.isValidCIDR(range))) {
    throw new Error('must be ranges such as 10.1.0.0/16, with commas between them');
  }
  return list;
});

const proxies = makeValidator<string[]>((input) => {
  const list = input.split(',').map((address) => address.trim());
  // A range of all addresses would let anybody say where a call comes from.
  if (!list.every((address) => /^(?!.*\/0+$)/.test(address) && isAddressOrRange(address))) {
    throw new Error(
      'must be addresses or ranges such as 10.0.0.7,10.1.0.0/16, with commas between',
    );
  }
  return list;
});

const isAddressOrRange = (text: string) => ipaddr.isValid(text) || ipaddr.isValidCIDR(text);

const ports = makeValidator<number[]>((input) => {
  const list = input.split(',').map((text) => text.trim());
  if (!list.every((text) => /^[1-9]\d{0,4}$/.test(text) && Number(text) < 65_536)) {
    throw new Error('must be ports such as 443,8443');
  }
  return list.map(Number);
});

const proxyUrl = makeValidator((input: string) => {
  if (!/^https?:\/\//.test(input) || !URL.canParse(input)) {
    throw new Error('must be a URL such as http://proxy:3128');
  }
  return input;
});

// What can be guessed is no secret.
const LEAST_SECRET = 16;

const webhookSecrets = makeValidator<string[]>((input) => {
  const secrets = input.split(',').map((secret) => secret.trim());
  if (secrets.length > 2 || !secrets.every(({ length }) => length >= LEAST_SECRET)) {
    throw new Error(
      `must be one secret of ${LEAST_SECRET} or more characters, or two with a comma between them`,
    );
  }
  return secrets;
});

const postgresUrl = makeValidator((input: string) => {
  if (!/^postgres(ql)?:\/\//.test(input) || !URL.canParse(input)) {
    throw new Error('must be a URL such as postgres://user:password@host:5432/galley');
  }
  return input;
});

const redisUrl = makeValidator((input: string) => {
  if (!/^rediss?:\/\//.test(input) || !URL.canParse(input)) {
    throw new Error('must be a URL such as redis://host:6379');
  }
  return input;
});

/** Every variable that Galley reads. `.env.example` and the README's table are made from these. */
export const common = {
  NODE_ENV: str({
    choices: ['production', 'development', 'test'],
    default: 'production',
    desc: 'development and test also let webhooks go to http:// addresses',
  }),
  LOG_LEVEL: str({
    choices: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    default: 'info',
    desc: 'least severe level that is logged',
  }),
  HOST: str({ default: '0.0.0.0', desc: 'address that API and worker listen on' }),
};

export const database = {
  DATABASE_URL: postgresUrl({
    desc: 'PostgreSQL 14 or newer, which owns all data',
    example: 'postgres://galley:password@127.0.0.1:5432/galley',
  }),
  DATABASE_POOL_SIZE: count({
    default: 10,
    desc: 'PostgreSQL connections of one process; a queue in PostgreSQL takes up to 9 more',
  }),
};

export const queue = {
  REDIS_URL: redisUrl({
    default: undefined,
    desc: 'Redis 6.2 or newer for the queue and the rate limits; unset, the queue lives in PostgreSQL',
    example: 'redis://127.0.0.1:6379',
  }),
  QUEUE_PREFIX: str({ default: 'galley', desc: 'what every key in Redis begins with' }),
};

export const secrets = {
  SECRETS_KEY: secretsKey({
    desc: 'encrypts secrets and headers of webhooks, answers kept for an Idempotency-Key, and cursors of lists: 32 bytes in base64 (openssl rand -base64 32)',
  }),
  SECRETS_KEYS_OLD: secretsKeys({
    default: [],
    desc: 'earlier values of SECRETS_KEY; a worker encrypts anew what webhooks have; keep one for a day',
  }),
};

export const auth = {
  AUTH_ISSUER: url({
    default: undefined,
    desc: 'issuer of the tokens, whose keys OpenID discovery finds; may be left out with AUTH_JWKS_URI and without AUTH_WEBHOOK_SECRET',
    example: 'https://your-tenant.example.com',
    // The provider's messages do not say whose users they are about; only this does.
    requiredWhen: (env) => !env['AUTH_JWKS_URI'] || Boolean(env['AUTH_WEBHOOK_SECRET']),
  }),
  AUTH_JWKS_URI: url({
    default: undefined,
    desc: 'where the issuer keeps its keys, when it has no OpenID discovery',
  }),
  AUTH_AUDIENCE: str({
    desc: 'audience that a token must name',
    example: 'galley',
  }),
  AUTH_WEBHOOK_PROVIDER: str({
    choices: ['clerk', 'workos', 'auth0', 'logto'],
    default: 'clerk',
    desc: 'who calls /api/auth/webhook: clerk (or another sender of Standard Webhooks), workos, auth0 or logto',
  }),
  AUTH_WEBHOOK_SECRET: webhookSecrets({
    default: undefined,
    desc: 'secret of the calls to /api/auth/webhook, as the provider shows it; two while one replaces the other',
  }),
};

export const api = {
  PORT: port({ default: 3000, desc: 'port of the API' }),
  TRUSTED_PROXIES: proxies({
    default: [],
    desc: 'addresses of the load balancers before the API, such as 10.0.0.7,10.1.0.0/16, whose X-Forwarded-For counts; without them all callers share one rate limit',
  }),
  // A hundred requests a second for a whole minute are more than any client needs that is not at
  // fault, and a small part of what one API serves. Behind one address there may be an office.
  RATE_LIMIT_USER: quota({
    default: 6_000,
    desc: 'requests a minute of each user and each API key; 0 for no limit',
  }),
  RATE_LIMIT_ADDRESS: quota({
    default: 12_000,
    desc: 'requests a minute from each IP address, of IPv6 each /64; 0 for no limit',
  }),
  MAX_BODY_BYTES: bodyBytes({
    default: 1024 * 1024,
    desc: 'how large the body of a request may be, from 1024 to 104857600',
  }),
  MAX_BATCH_BYTES: bodyBytes({
    default: 16 * 1024 * 1024,
    desc: 'the same for a batch',
  }),
  // One event for a workspace with as many takes a worker a few seconds; other workspaces notice nothing.
  MAX_WEBHOOKS: count({
    default: 1_000,
    desc: 'webhooks that a workspace may have',
  }),
  // GrapesJS nests its projects up to 76 levels deep.
  MAX_NESTING: levels({
    default: 200,
    desc: 'how many levels deep the body of a request may be nested, 500 at most',
  }),
};

export const worker = {
  WORKER_PORT: port({ default: 3001, desc: "port of the worker's health checks" }),
  WORKER_CONCURRENCY: count({
    default: 500,
    desc: 'deliveries that one worker has in flight at most',
  }),
  RETENTION_DAYS: days({
    default: 30,
    desc: 'days, 11 or more, for which events and what became of them are kept; they go by the week',
  }),
};

export const webhooks = {
  WEBHOOK_ALLOWED_RANGES: ranges({
    default: [],
    desc: 'private address ranges that webhooks may go to, such as 10.1.0.0/16,fd00::/8',
  }),
  WEBHOOK_ALLOWED_PORTS: ports({
    default: [],
    desc: 'the only ports that webhooks may go to, such as 443,8443; unset, any',
  }),
  WEBHOOK_PROXY_URL: proxyUrl({
    default: undefined,
    desc: 'HTTP proxy through which webhooks leave; what names resolve to is its to judge then',
  }),
};
