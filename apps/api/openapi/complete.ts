import type { OpenAPIObject } from '@nestjs/swagger';
import { errorCodes, type ErrorCode } from '#errors';
import { enumSchemas } from '../http/enums.js';
import { operations, type Operation } from '../http/operation.js';
import { answerExamples } from './answer-examples.js';
import { requestExamples } from './examples.js';
import {
  components,
  deprecationHeadersOf,
  headerOf,
  headersOfAll,
  parameterOf,
  responseOf,
} from './components.js';
import { notificationSchemas } from './notifications.js';
import { withPlainNames } from './plain-names.js';

type PathItem = OpenAPIObject['paths'][string];
type Described = NonNullable<PathItem['get']>;
type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;
type Response = { description: string; headers?: object; content?: object };
const methods = ['get', 'post', 'put', 'delete'] as const;
type Method = (typeof methods)[number];

/** Adds to what the decorators say all that follows from an operation: errors, headers, who may. */
export function complete(document: OpenAPIObject): OpenAPIObject {
  for (const item of Object.values(document.paths)) {
    for (const method of methods) {
      const described = item[method];
      if (described) describe(described, method);
    }
  }
  const schemas: Schemas = { ...document.components?.schemas, ...notificationSchemas() };
  for (const [name, schema] of Object.entries(enumSchemas)) {
    schemas[name] = { ...schemas[name], ...schema };
  }
  closeRequests(schemas);
  return withPlainNames({
    ...document,
    components: { ...document.components, ...components, schemas },
  });
}

function describe(described: Described, method: Method): void {
  const operation = operations.get(described.operationId ?? '');
  if (operation === undefined) throw new Error('A route has no @Operates().');
  if (operation.isPublic) described.security = [];
  describeParameters(described, operation, method);
  describeInWords(described, operation);
  addExamples(described, operation);
  const responses = described.responses as Record<string, Response>;
  const isCounted = !described.tags?.includes('Health');
  const always = headersOfAll(isCounted);
  const describeHeaders = (status: string) => ({
    ...always,
    ...headersOf(operation, status, method),
  });
  for (const [status, response] of Object.entries(responses)) {
    response.headers = describeHeaders(status);
  }
  if (operation.tagged && method === 'get') {
    responses['304'] = {
      description: 'You have that state already.',
      headers: describeHeaders('304'),
    };
  }
  const asks = !operation.isPublic || method !== 'get';
  const codes = errorsOf(operation, method, asks);
  if (isCounted) codes.push('too_many_requests');
  for (const code of codes) {
    responses[String(errorCodes[code].status)] = responseOf(code, operation, isCounted);
  }
}

function describeParameters(described: Described, operation: Operation, method: Method): void {
  described.parameters = [
    ...(described.parameters ?? []),
    ...(operation.tagged && method === 'get' ? [parameterOf('If-None-Match')] : []),
    ...(operation.conditional ? [parameterOf('If-Match')] : []),
    ...(operation.once ? [parameterOf('Idempotency-Key')] : []),
  ] as NonNullable<Described['parameters']>;
}

function describeInWords(described: Described, operation: Operation): void {
  const { role, access, deprecated, optionalBody } = operation;
  const roles = role && `Takes the role \`${role}\` in the workspace, or one above it.`;
  const sentences = [
    access ?? roles,
    deprecated && `Deprecated, and may be gone from ${deprecated.sunset} on. ${deprecated.instead}`,
  ];
  const description = [described.description, ...sentences].filter(Boolean).join('\n\n');
  if (description) described.description = description;
  if (optionalBody) Object.assign(described.requestBody ?? {}, { required: false });
}

function addExamples({ requestBody, responses }: Described, { id, status = 200 }: Operation): void {
  const addTo = (described: object | undefined, example: object | undefined) => {
    const { content } = (described ?? {}) as { content?: Record<string, object> };
    if (example) Object.assign(content?.['application/json'] ?? {}, { example });
  };
  addTo(requestBody, requestExamples[id]);
  addTo(responses[status], answerExamples[id]);
}

function headersOf(operation: Operation, status: string, method: Method): object {
  const names: string[] = [];
  const made = Number(status) === (operation.status ?? 200);
  if (operation.tagged && (made || status === '304')) names.push('ETag');
  if (operation.location && method === 'post' && made) names.push('Location');
  return {
    ...Object.fromEntries(names.map((name) => [name, headerOf(name)])),
    ...deprecationHeadersOf(operation),
  };
}

/** What a request can fail with, from what the route takes. */
function errorsOf(operation: Operation, method: Method, asks: boolean): ErrorCode[] {
  const { role, isPublic, conditional, once, errors = {} } = operation;
  const codes: (ErrorCode | false | undefined)[] = [
    asks && 'invalid',
    !isPublic && 'unauthorized',
    // A response is given again only to a caller who still has a role in its workspace.
    (role ?? once) && 'forbidden',
    (role ?? once) && 'not_found',
    once && 'conflict',
    conditional && 'stale',
    once && 'key_reused',
    method !== 'get' && 'too_large',
    method !== 'get' && 'unsupported_media_type',
    'internal',
    // Whose keys cannot be had just now cannot be told from anybody else.
    !isPublic && 'unavailable',
    ...(Object.keys(errors) as ErrorCode[]),
  ];
  return [...new Set(codes)].filter((code) => code !== false && code !== undefined);
}

/** What is unknown is refused in requests; in answers there may be more some day. */
function closeRequests(schemas: Schemas) {
  for (const [name, schema] of Object.entries(schemas)) {
    if (/(Dto|Operation)$/.test(name)) Object.assign(schema, { additionalProperties: false });
  }
}
