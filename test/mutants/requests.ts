import type { Defect } from './defect.ts';

const KEYS = 'libs/database/idempotency-keys.ts';
const KEYS_TESTS = ['test/system/requests/idempotency-keys.test.ts'];
const FINGERPRINT = 'apps/api/http/idempotency-key.ts';
const RATE_LIMITS = ['test/system/limits/rate-limits.test.ts'];
const VERIFIED = 'apps/api/auth/verified-tokens.ts';
const VERIFIED_TESTS = ['apps/api/auth/verified-tokens.spec.ts'];
const VERIFIER = 'apps/api/auth/token-verifier.ts';
const TOKENS = ['test/system/identity/tokens.test.ts'];
const PRECONDITION = 'libs/errors/precondition.ts';

/** Tokens, rate limits, idempotency keys, preconditions and the limits of batches. */
export const requests: Defect[] = [
  {
    name: 'an idempotency key may be used for another path',
    file: FINGERPRINT,
    text: "createHash('sha256').update(`${method} ${url}\\n`)",
    replacement: "createHash('sha256').update(`${method}${url && ''}\\n`)",
    tests: ['test/api/requests/idempotency-fingerprint.test.ts'],
  },
  {
    name: 'an idempotency key may be used for another body',
    file: FINGERPRINT,
    text: 'fingerprint.update(body.subarray(offset, offset + BYTES_BETWEEN_CHECKPOINTS));',
    replacement: 'fingerprint.update(body.subarray(offset, offset));',
    tests: KEYS_TESTS,
    pattern: 'belongs to one request',
  },
  {
    name: 'a user gets the stored response of another user with the same key',
    file: KEYS,
    text: 'WHERE user_id = caller.id AND key = $2 LIMIT 1',
    replacement: 'WHERE key = $2 ORDER BY created_at LIMIT 1',
    tests: KEYS_TESTS,
    pattern: 'belongs to its caller',
  },
  {
    name: 'a stored response is sent to a caller without its rights',
    file: KEYS,
    text: 'if (!stored.hasRoles) throw DomainError.forbidden(RIGHTS_LOST);',
    replacement: 'if (stored.hasRoles === undefined) throw DomainError.forbidden(RIGHTS_LOST);',
    tests: ['test/system/requests/idempotency.test.ts'],
    pattern: 'as long as the caller has the required rights',
  },
  {
    name: 'one of several rights is enough for a stored response',
    file: KEYS,
    text: 'bool_and(coalesce(member.role = ANY',
    replacement: 'bool_or(coalesce(member.role = ANY',
    tests: KEYS_TESTS,
    pattern: 'of a duplicate requires the rights in both workspaces',
  },
  {
    name: 'an idempotency key never expires',
    file: KEYS,
    text: 'stored ON stored.created_at > now() - ${RETENTION}',
    replacement: 'stored ON true',
    tests: KEYS_TESTS,
    pattern: 'is free again after 24 hours',
  },
  {
    name: 'a program does not wait for a request with the same key in another program',
    file: KEYS,
    text: "'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))'",
    replacement: "'SELECT hashtextextended($1, 0)'",
    tests: ['test/system/requests/idempotency-faults.test.ts'],
    pattern: 'two programs that get a request at once',
  },
  {
    name: 'all users share one rate limit',
    file: 'libs/limits/rate-limits.ts',
    text: ':${policy.name}:${callerKey}`',
    replacement: ':${policy.name}`',
    tests: RATE_LIMITS,
  },
  {
    name: 'a caller of IPv6 has a rate limit for each address',
    file: 'apps/api/http/ip-address.ts',
    text: 'ipAddress.parts.slice(0, 4)',
    replacement: 'ipAddress.parts.slice(0, 8)',
    tests: RATE_LIMITS,
    pattern: '/64 network',
  },
  {
    name: 'a caller gets one request more than the quota',
    file: 'libs/limits/policy.ts',
    text: 'used > policy.quota',
    replacement: 'used > policy.quota + 1',
    tests: RATE_LIMITS,
  },
  {
    name: 'the window of a rate limit never ends',
    file: 'libs/limits/memory-counters.ts',
    text: 'window.resetsAt <= now',
    replacement: 'window.resetsAt <= 0',
    tests: ['libs/limits/memory-counters.spec.ts'],
  },
  {
    name: 'a counter in Redis has no end',
    file: 'libs/limits/redis-counters.ts',
    text: "redis.call('PEXPIRE', key, endsIn)",
    replacement: "redis.call('PTTL', key)",
    tests: ['test/system/limits/rate-limits-in-redis.test.ts'],
    needs: 'REDIS_URL',
  },
  {
    name: 'a verified token is kept for longer than a minute',
    file: VERIFIED,
    text: 'Math.min(MAX_TTL_MS, expiresAtMs - Date.now())',
    replacement: 'expiresAtMs - Date.now()',
    tests: VERIFIED_TESTS,
  },
  {
    name: 'a verified token is kept after it has expired',
    file: VERIFIED,
    text: 'Math.min(MAX_TTL_MS, expiresAtMs - Date.now())',
    replacement: 'Math.max(MAX_TTL_MS, expiresAtMs - expiresAtMs)',
    tests: VERIFIED_TESTS,
  },
  {
    name: 'a token for another audience is accepted',
    file: VERIFIER,
    text: `        audience,
        algorithms`,
    replacement: '        algorithms',
    tests: TOKENS,
    pattern: 'audience.* refused',
  },
  {
    name: 'a token that never expires is accepted',
    file: VERIFIER,
    text: "subject === '' || typeof exp !== 'number'",
    replacement: "subject === '' || exp === null",
    tests: TOKENS,
    pattern: 'never expires',
  },
  {
    name: 'a token of another type is accepted, such as a logout token',
    file: VERIFIER,
    text: 'if (typ === undefined) return;',
    replacement: 'if (typ === undefined || typ !== null) return;',
    tests: TOKENS,
    pattern: 'has the type',
  },
  {
    name: 'a stale If-Match overwrites a change',
    file: 'libs/database/next-updated-at.ts',
    text: 'IS NULL OR updated_at = ANY (${times}))`',
    replacement: 'IS NULL OR updated_at IS NOT NULL)`',
    tests: ['test/system/requests/preconditions.test.ts'],
    pattern: 'stale If-Match',
  },
  {
    name: 'a precondition that an operation does not support is ignored',
    file: 'apps/api/http/if-match.ts',
    text: "if (headers['if-match'] !== undefined && !operation.ifMatch)",
    replacement: "if (headers['if-match'] === '' && !operation.ifMatch)",
    tests: ['test/system/requests/preconditions.test.ts'],
    pattern: 'stale If-Match',
  },
  {
    name: 'a stale ifMatch of an operation in a batch overwrites a change',
    file: PRECONDITION,
    text: 'if (stale.length > 0) {',
    replacement: 'if (stale.length < 0) {',
    tests: ['test/system/documents/batch-refusals.test.ts'],
  },
  {
    name: 'a state may get the ETag of an earlier state if the clock is set back',
    file: 'libs/database/next-updated-at.ts',
    text: "`greatest(${clock}, updated_at + interval '1 millisecond')`",
    replacement: '`greatest(${clock}, ${clock})`',
    tests: ['test/system/requests/etags.test.ts'],
  },
  {
    name: 'a batch may have more than 1,000 operations',
    file: 'apps/api/bodies/json-body.ts',
    text: 'if (operations.length === MAX_BATCH_OPERATIONS) {',
    replacement: 'if (operations.length === 2 * MAX_BATCH_OPERATIONS) {',
    tests: ['apps/api/bodies/json-body.spec.ts'],
  },
  {
    name: 'two operations of a batch may name the same document',
    file: 'apps/api/validation/batch.ts',
    text: 'if (duplicates.length > 0) throw',
    replacement: 'if (duplicates.length < 0) throw',
    tests: ['test/system/documents/batch-refusals.test.ts'],
  },
];
