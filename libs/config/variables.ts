import { str, url } from 'envalid';
import { postgresUrl } from './validators/postgres-url.js';
import {
  bodyBytes,
  cidrRanges,
  flag,
  integerBetween,
  issuerUrl,
  mailAddress,
  mailRecipients,
  nestingDepth,
  origins,
  port,
  ports,
  positiveInteger,
  proxyUrl,
  redisUrl,
  requestQuota,
  retentionDays,
  samplingRatio,
  secretText,
  secretsKeys,
  smtpUrl,
  trustedProxies,
  webhookSecrets,
} from './validators/validators.js';

export { assets, assetStorage } from './asset-variables.js';

/**
 * This file and the one above declare every variable that Galley reads. `.env.example` and the table in
 * docs/run/configuration.md are generated from these declarations.
 */
export const common = {
  NODE_ENV: str({
    choices: ['production', 'development', 'test'],
    default: 'production',
    desc: 'development and test also allow http:// endpoint URLs',
  }),
  LOG_LEVEL: str({
    choices: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    default: 'info',
    desc: 'lowest level that is logged',
  }),
  HOST: str({
    default: '0.0.0.0',
    desc: 'IP address that the API and the worker listen on, for requests and health checks',
  }),
};

export const database = {
  DATABASE_URL: postgresUrl({
    desc: 'URL of PostgreSQL 14 or newer, which stores all data; for TLS, add sslmode=verify-full and sslrootcert',
    example: 'postgres://galley:password@127.0.0.1:5432/galley',
  }),
  DATABASE_DIRECT_URL: postgresUrl({
    default: undefined,
    desc: 'URL of PostgreSQL itself, for migrations and for a queue in PostgreSQL; needed only if DATABASE_URL is the URL of PgBouncer',
    example: 'postgres://galley:password@127.0.0.1:5432/galley',
  }),
  DATABASE_POOL_SIZE: positiveInteger({
    default: 10,
    desc: 'maximum number of PostgreSQL connections of each process; a queue in PostgreSQL takes up to 9 more',
  }),
};

export const queue = {
  REDIS_URL: redisUrl({
    default: undefined,
    desc: 'URL of Redis 6.2 or newer, for the queue and the rate limits; redis+sentinel:// for sentinels, redis+cluster:// for a cluster; if unset, the queue is in PostgreSQL, and each API counts only its own requests',
    example: 'redis://127.0.0.1:6379',
  }),
  QUEUE_PREFIX: str({
    default: 'galley',
    desc: 'prefix of every key in Redis; in a cluster, the prefix becomes the hash tag',
  }),
};

export const secrets = {
  SECRETS_KEYS: secretsKeys({
    desc: 'keys that encrypt secrets and headers of webhooks, responses stored for an Idempotency-Key, and cursors of lists: 32 bytes in base64 each (openssl rand -base64 32), separated by commas, the newest first; the first key encrypts new values as soon as it is the first key of all running programs',
  }),
};

export const auth = {
  AUTH_ISSUER: issuerUrl({
    default: undefined,
    desc: 'issuer of the tokens, whose signing keys Galley finds by OpenID discovery; optional if AUTH_JWKS_URI is set and AUTH_WEBHOOK_SECRET is not',
    example: 'https://your-tenant.example.com',
    // The messages of the provider name users but not their issuer, so this variable must name the issuer.
    requiredWhen: (env) => !env['AUTH_JWKS_URI'] || Boolean(env['AUTH_WEBHOOK_SECRET']),
  }),
  AUTH_JWKS_URI: issuerUrl({
    default: undefined,
    desc: 'URL of the signing keys, if the issuer has no OpenID discovery',
  }),
  AUTH_AUDIENCE: str({
    desc: 'audience (aud) that every token must have',
    example: 'galley',
  }),
  AUTH_CLIENT_ID: str({
    default: undefined,
    desc: 'id of the client with which people sign in to the settings area at /settings; if unset, there is no settings area',
  }),
  AUTH_CLIENT_TOKEN: str({
    choices: ['access_token', 'id_token'],
    default: 'access_token',
    desc: 'token that the settings area sends to the API; id_token for Clerk, whose access tokens have no audience',
  }),
  AUTH_WEBHOOK_PROVIDER: str({
    choices: ['clerk', 'workos', 'auth0', 'logto'],
    default: 'clerk',
    desc: 'sender of the messages to /api/auth/webhook: clerk (or another sender of Standard Webhooks), workos, auth0 or logto',
  }),
  AUTH_WEBHOOK_SECRET: webhookSecrets({
    default: undefined,
    desc: 'secret of the messages to /api/auth/webhook, as the provider shows it; while you replace it, both secrets, separated by a comma',
  }),
};

// These variables are read by all programs that change documents.
export const documents = {
  MAX_BODY_BYTES: bodyBytes({
    default: 1024 * 1024,
    desc: 'maximum size of a request body, and of a document with its modules, in bytes, from 1024 to 104857600',
  }),
  TRASH_DAYS: integerBetween(
    0,
    3_650,
  )({
    default: 30,
    desc: 'days for which deleted templates, modules and pictures can be restored, up to 3650; 0 to delete them permanently right away',
  }),
};

export const api = {
  DATABASE_REPLICA_URL: postgresUrl({
    default: undefined,
    desc: 'URL of a streaming standby from which the API reads; needs REDIS_URL if there are several APIs; if unset, the API reads from the primary',
    example: 'postgres://galley:password@standby.example.com:5432/galley',
  }),
  PORT: port({ default: 3000, desc: 'port of the API' }),
  TRUSTED_PROXIES: trustedProxies({
    default: [],
    desc: 'load balancers whose X-Forwarded-For the API trusts, as addresses or ranges such as 10.0.0.7,10.1.0.0/16; if unset, all callers behind a load balancer share one rate limit',
  }),
  // `*` is not allowed. A user on a private network may open any page on the internet, and with `*`, that page could
  // read from a Galley on the private network. The operator decides which apps may use Galley.
  CORS_ORIGINS: origins({
    default: [],
    desc: 'origins of the browser apps that may call the API (CORS), such as https://app.example.com,http://localhost:5173; if unset, only pages of the same origin as the API',
  }),
  PUBLIC_URL: url({
    default: undefined,
    desc: 'URL at which mail clients reach the API, from which emails load the icons of social networks; if unset, emails contain the icons, which Gmail and Outlook do not show',
    example: 'https://galley.example.com',
  }),
  COMPRESS_RESPONSES: flag({
    default: false,
    desc: 'true to compress JSON of 4 KiB or more for callers that accept gzip; leave it false behind a proxy that compresses responses, and until every running API is of a release that has this variable',
  }),
  // Over a minute, a correct client sends far fewer than 100 requests a second, and one API process serves far more. An
  // office may share one IP address, so the limit per IP address is twice as high.
  RATE_LIMIT_USER: requestQuota({
    default: 6_000,
    desc: 'requests a minute for each user and each API key; 0 for no limit',
  }),
  RATE_LIMIT_ADDRESS: requestQuota({
    default: 12_000,
    desc: 'requests a minute from each IP address, or from each /64 of IPv6; 0 for no limit',
  }),
  MAX_BATCH_BYTES: bodyBytes({
    default: 16 * 1024 * 1024,
    desc: 'maximum size of the body of a batch in bytes, from 1024 to 104857600',
  }),
  // A worker needs a few seconds for an event that goes to 1,000 webhooks. Other workspaces do not wait meanwhile.
  MAX_WEBHOOKS: positiveInteger({
    default: 1_000,
    desc: 'maximum number of webhooks in a workspace',
  }),
  // Clients store the projects of editors as documents. Those of GrapesJS were nested up to 76 levels deep.
  MAX_NESTING: nestingDepth({
    default: 200,
    desc: 'maximum nesting depth of a request body, up to 500',
  }),
};

// Emails are sent only as tests, one at a time and for a person who waits, so a single server is enough.
export const mail = {
  SMTP_URL: smtpUrl({
    default: undefined,
    desc: 'URL of the SMTP server for test emails, such as smtp://user:password@mail.example.com:587; smtps:// for TLS from the start; with a password, the connection must have TLS; if unset, there are no test emails',
    example: 'smtp://user:password@mail.example.com:587',
  }),
  MAIL_FROM: mailAddress({
    default: undefined,
    desc: 'sender of test emails, such as Galley <galley@example.com>; required if SMTP_URL is set',
    example: 'Galley <galley@example.com>',
  }),
  // Without a limit to members, anyone with a workspace could send emails to everybody in the name of the operator.
  TEST_SEND_RECIPIENTS: mailRecipients({
    default: [],
    desc: 'recipients of test emails in addition to the members of the workspace, as addresses or domains such as reviews@example.com,@example.org',
  }),
  RATE_LIMIT_TEST_SENDS: requestQuota({
    default: 20,
    desc: 'test emails an hour for each user and each API key; 0 for no limit',
  }),
};

export const worker = {
  WORKER_PORT: port({ default: 3001, desc: "port of the worker's health checks" }),
  WORKER_CONCURRENCY: positiveInteger({
    default: 500,
    desc: 'maximum number of deliveries that one worker has in flight',
  }),
  RETENTION_DAYS: retentionDays({
    default: 30,
    desc: 'days for which events, deliveries and attempts are kept, 11 or more; expired ones are deleted one week at a time',
  }),
  // Audits look back a year. The additional month is a margin for late audits.
  AUDIT_RETENTION_DAYS: integerBetween(
    0,
    36_500,
  )({
    default: 396,
    desc: 'days for which entries of the audit log are kept, up to 36500; 0 to keep them forever',
  }),
};

export const webhooks = {
  WEBHOOK_ALLOWED_RANGES: cidrRanges({
    default: [],
    desc: 'private IP ranges that endpoint URLs may resolve to, such as 10.1.0.0/16,fd00::/8',
  }),
  WEBHOOK_ALLOWED_PORTS: ports({
    default: [],
    desc: 'the only ports that endpoint URLs may use, such as 443,8443; if unset, any port is allowed',
  }),
  WEBHOOK_PROXY_URL: proxyUrl({
    default: undefined,
    desc: 'HTTP proxy for all webhooks; the proxy then decides which IP addresses a name may resolve to',
  }),
};

export const metrics = {
  METRICS_PORT: port({
    default: undefined,
    desc: 'port that serves the metrics for Prometheus, at /metrics; usually 9464; on a shared machine, API and worker need different ports; if unset, nothing is measured',
    example: '9464',
  }),
  METRICS_HOST: str({
    default: '127.0.0.1',
    desc: 'IP address that the metrics server listens on; 0.0.0.0 for a Prometheus on another machine or in another container',
  }),
};

/** The names and meanings are those of the OpenTelemetry specification. */
export const tracing = {
  OTEL_EXPORTER_OTLP_ENDPOINT: url({
    default: undefined,
    desc: 'URL of an OpenTelemetry collector (OTLP over HTTP) that receives the traces; if unset, there is no tracing',
    example: 'http://127.0.0.1:4318',
  }),
  OTEL_EXPORTER_OTLP_HEADERS: secretText({
    default: undefined,
    desc: 'headers for the collector, such as authorization=Bearer%20token, separated by commas; may contain secrets',
  }),
  OTEL_SERVICE_NAME: str({
    default: undefined,
    desc: 'name of the program in traces; if unset, galley-api or galley-worker',
  }),
  OTEL_TRACES_SAMPLER: str({
    choices: [
      'always_on',
      'always_off',
      'traceidratio',
      'parentbased_always_on',
      'parentbased_always_off',
      'parentbased_traceidratio',
    ],
    default: 'parentbased_always_on',
    desc: 'which traces are kept; samplers that begin with parentbased follow the decision in the traceparent of a request',
  }),
  OTEL_TRACES_SAMPLER_ARG: samplingRatio({
    default: 1,
    desc: 'share of the traces that traceidratio and parentbased_traceidratio keep, from 0 to 1',
  }),
};

/** Programs with `NODE_ENV=production` reject these variables, so Compose and the Helm chart do not set them. */
export const development = {
  SAMPLE_RECEIVER_URL: url({
    default: undefined,
    desc: 'URL of the sample receiver that the settings area offers for new webhooks; npm start sets it; not allowed in production',
  }),
};
