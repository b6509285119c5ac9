import { describe, expect, it } from '@jest/globals';
import { responseExamples } from '../../../apps/api/openapi/examples/response-examples.js';
import type { ApiResponse } from './api-response.js';
import { expectDocumentedResponse, expectDocumentedNotification } from './contract.js';

const PATH = '/api/templates/01936f60-0b7e-7a66-a1d4-93c8f0e27b15';
const template = responseExamples['getTemplate'] as Record<string, unknown>;

function response(
  change: Partial<ApiResponse<unknown>> = {},
  header?: [string, string],
): ApiResponse<unknown> {
  const headers = new Headers({
    'content-type': 'application/json',
    'x-request-id': '1',
    etag: '"mi6hq0k8"',
    'cache-control': 'private, no-cache',
    ...(header && { [header[0]]: header[1] }),
  });
  const body = 'body' in change ? change.body : template;
  return { status: 200, headers, text: JSON.stringify(body), ...change, body };
}
const without = (name: string): ApiResponse<unknown> => {
  const given = response();
  given.headers.delete(name);
  return given;
};

describe('a response', () => {
  it('may be as it is documented', () => {
    expectDocumentedResponse('GET', PATH, response());
  });

  it.each<[string, ApiResponse<unknown>, string?]>([
    ['a status', response({ status: 418 })],
    ['a field more', response({ body: { ...template, secret: 'x' } })],
    ['a field less', response({ body: { ...template, name: undefined } })],
    ['a field of another kind', response({ body: { ...template, version: '1' } })],
    ['a time that is none', response({ body: { ...template, createdAt: 'today' } })],
    ['an id that is none', response({ body: { ...template, id: '7' } })],
    ['a list for an object', response({ body: [template] })],
    ['no ETag', without('etag')],
    ['an ETag of another form', response({}, ['etag', 'W/"1"'])],
    ['no x-request-id', without('x-request-id')],
    ['a header more', response({}, ['location', '/api/templates/1'])],
    ['another content type', response({}, ['content-type', 'text/html'])],
    ['an error of another form', response({ status: 404, body: { error: 'x' } })],
    ['a route that there is not', response(), '/api/none'],
  ])('may not have or lack what is not documented: %s', (_what, given, path = PATH) => {
    expect(() => expectDocumentedResponse('GET', path, given)).toThrow('openapi.json does not say');
  });
});

describe('a notification', () => {
  const headers = {
    'webhook-id': '01936f60-0b7e-7a66-a1d4-93c8f0e27b15',
    'webhook-timestamp': '1795325545',
    'webhook-signature': 'v1,caUdP3MpbJyuVNqRTPmS3X5soXeqFoegsFhlyyRqg+M=',
    'x-service-signature': `t=1795325545,v1=${'0'.repeat(64)}`,
    'x-service-sequence': '1',
    'user-agent': 'Galley/0.1.0',
    'content-type': 'application/json',
  };
  const { id, name, workspaceId, version } = template;
  const data = { id, name, workspaceId, externalId: null, version };
  const payload = { event: 'template.created', timestamp: '2026-11-21T09:30:00.000Z', data };
  const check = (change: object, otherHeaders: object = {}) =>
    expectDocumentedNotification({
      headers: { ...headers, ...otherHeaders },
      body: JSON.stringify({ ...payload, ...change }),
    });

  it('may be as it is promised', () => {
    check({});
  });

  it.each<[string, object, object?]>([
    ['an event that nobody knows', { event: 'template.eaten' }],
    ['a field more', { id: '1' }],
    ['a field more in its data', { data: { ...data, content: {} } }],
    ['a field less in its data', { data: { ...data, name: undefined } }],
    ['no time', { timestamp: undefined }],
    ['no signature', {}, { 'webhook-signature': undefined }],
    ['another signature', {}, { 'x-service-signature': 'v1=00' }],
    ['another content type', {}, { 'content-type': 'application/cloudevents+json' }],
  ])('may not have or lack what is not promised: %s', (_what, change, otherHeaders = {}) => {
    expect(() => check(change, otherHeaders)).toThrow('openapi.json');
  });
});
