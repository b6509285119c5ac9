import type { AttemptOutcome, AttemptStage } from '#client';
import { describe, expect, it } from '@jest/globals';
import { explainFailure, shownStatusOf } from './outcomes.js';

const explain = (
  stage: AttemptStage | null,
  error: string | null,
  statusCode: number | null = null,
) => explainFailure({ stage, error, statusCode });

describe('explainFailure', () => {
  it('returns undefined after a success', () => {
    expect(explain(null, null, 200)).toBeUndefined();
  });

  it.each([
    ['connect', 'the connection was refused (ECONNREFUSED)', 'No connection'],
    [
      'connect',
      'the connection was not established in time (UND_ERR_CONNECT_TIMEOUT)',
      'Connect timeout',
    ],
    ['first-byte', 'no response within 15 s', 'Timeout'],
    ['first-byte', 'the response is not valid HTTP (HPE_INVALID_CONSTANT)', 'No response'],
    ['dns', 'the name does not exist (ENOTFOUND)', 'Unknown host'],
    ['dns', 'hooks.example.com is not a public address', 'Private address'],
    [
      'tls',
      'the receiver does not speak TLS on this port (ERR_SSL_WRONG_VERSION_NUMBER)',
      'No TLS',
    ],
    ['tls', 'the certificate has expired (CERT_HAS_EXPIRED)', 'TLS failed'],
  ] as const)('labels the failure of the stage %s: %s', (stage, error, label) => {
    expect(explain(stage, error)?.label).toBe(label);
  });

  it.each([
    [302, 'The receiver redirects to another URL (302)'],
    [401, 'The receiver does not accept the signature or token (401)'],
    [418, 'The receiver rejected the request (418)'],
    [503, 'The receiver is not available (503)'],
    [599, 'The receiver failed (599)'],
  ])('explains the status %d', (statusCode, title) => {
    expect(explain('status', `status ${statusCode}`, statusCode)).toMatchObject({
      label: String(statusCode),
      title,
    });
  });
});

const failure: AttemptOutcome = {
  startedAt: '2026-11-24T23:00:00.000Z',
  durationMs: 5,
  stage: 'connect',
  statusCode: null,
  error: 'the connection was refused (ECONNREFUSED)',
};

describe('The displayed status', () => {
  it('is “retrying” if the last attempt of a pending delivery failed', () => {
    expect(shownStatusOf({ status: 'pending', lastAttempt: failure })).toBe('retrying');
  });

  it('is the status from the API in all other cases', () => {
    expect(shownStatusOf({ status: 'pending', lastAttempt: null })).toBe('pending');
    expect(shownStatusOf({ status: 'failed', lastAttempt: failure })).toBe('failed');
    expect(shownStatusOf({ status: 'held', lastAttempt: failure })).toBe('held');
  });
});
