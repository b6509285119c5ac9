import { randomBytes, randomUUID } from 'node:crypto';
import { AUDIENCE } from '../identity/issuer.ts';

// Jest's global set-up imports this file without a transformation (see pgbouncer.ts).

interface Servers {
  databaseUrl: string;
  databaseDirectUrl: string;
  issuerUrl: string;
}

/** The variables of Galley's programs in tests. */
export const testEnvironment = (servers: Servers): Record<string, string> => ({
  NODE_ENV: 'test',
  LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'silent',
  HOST: '127.0.0.1',
  DATABASE_URL: servers.databaseUrl,
  DATABASE_DIRECT_URL: servers.databaseDirectUrl,
  REDIS_URL: process.env['REDIS_URL'] ?? '',
  QUEUE_PREFIX: `galley-test-${randomUUID()}`,
  SECRETS_KEYS: randomBytes(32).toString('base64'),
  AUTH_ISSUER: servers.issuerUrl,
  AUTH_AUDIENCE: AUDIENCE,
  PUBLIC_URL: 'https://galley.example.com',
  // Used only with an SMTP_URL.
  MAIL_FROM: 'Galley <galley@example.com>',
  TEST_SEND_RECIPIENTS: '@example.com',
  WEBHOOK_ALLOWED_RANGES: '127.0.0.0/8',
  // The tests send more requests in a minute than the limits allow.
  RATE_LIMIT_ADDRESS: '0',
  RATE_LIMIT_USER: '0',
  RATE_LIMIT_TEST_SENDS: '0',
});
