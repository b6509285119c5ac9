import { getSchemaPath, type OpenAPIObject } from '@nestjs/swagger';
import { errorCodes, type ErrorCode } from '#errors';
import { enumSchemas } from '../validation/enums.js';
import { operations, type OperationOptions } from '../operations/operation.js';
import { alternativeExamples } from './examples/comparison-examples.js';
import { responseExamples } from './examples/response-examples.js';
import { requestExamples } from './examples/request-examples.js';
import {
  components,
  deprecationHeadersOf,
  headerRef,
  commonHeaderRefs,
  parameterRef,
  errorResponseFor,
} from './components.js';
import { notificationSchemas } from './notifications.js';
import { stripClassSuffixes } from './schema-names.js';

type PathItem = OpenAPIObject['paths'][string];
type OperationObject = NonNullable<PathItem['get']>;
type SchemaMap = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;
type ResponseObject = { description: string; headers?: object; content?: object };
const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;
type Method = (typeof methods)[number];

/** Adds the errors, headers and roles from `OperationOptions`, which @nestjs/swagger does not support. */
export function deriveResponses(document: OpenAPIObject): OpenAPIObject {
  for (const pathItem of Object.values(document.paths)) {
    for (const method of methods) {
      const operationObject = pathItem[method];
      if (operationObject) completeOperation(operationObject, method);
    }
  }
  const schemas: SchemaMap = { ...document.components?.schemas, ...notificationSchemas() };
  for (const [name, schema] of Object.entries(enumSchemas)) {
    schemas[name] = { ...schemas[name], ...schema };
  }
  forbidAdditionalProperties(schemas);
  return stripClassSuffixes({
    ...document,
    components: { ...document.components, ...components, schemas },
  });
}

function completeOperation(operationObject: OperationObject, method: Method): void {
  const operation = operations.get(operationObject.operationId ?? '');
  if (operation === undefined) throw new Error('A route has no @Operation().');
  if (operation.isPublic) operationObject.security = [];
  addParameters(operationObject, operation, method);
  addDescription(operationObject, operation);
  const responses = operationObject.responses as Record<string, ResponseObject>;
  addAlternative(responses, operation);
  if (operation.contentType) {
    Object.assign(responses['200'] ?? {}, {
      content: { [operation.contentType]: { schema: { type: 'string' } } },
    });
  }
  addExamples(operationObject, operation);
  const isRateLimited = !operationObject.tags?.includes('Health');
  const commonHeaders = commonHeaderRefs(isRateLimited);
  const headersForStatus = (status: string) => ({
    ...commonHeaders,
    ...responseHeadersOf(operation, status, method),
  });
  for (const [status, response] of Object.entries(responses)) {
    response.headers = headersForStatus(status);
  }
  if (operation.etag && method === 'get') {
    responses['304'] = {
      description: 'The resource still has the ETag that you sent.',
      headers: headersForStatus('304'),
    };
  }
  const hasInput = !operation.isPublic || method !== 'get';
  const codes = errorCodesOf(operation, method, hasInput);
  if (isRateLimited) codes.push('too_many_requests');
  for (const [status, group] of Map.groupBy(codes, (code) => errorCodes[code].status)) {
    const codesOfStatus = group as [ErrorCode, ...ErrorCode[]];
    responses[String(status)] = errorResponseFor(codesOfStatus, operation, isRateLimited);
  }
}

function addParameters(
  operationObject: OperationObject,
  operation: OperationOptions,
  method: Method,
): void {
  operationObject.parameters = [
    ...(operationObject.parameters ?? []),
    ...(operation.etag && method === 'get' ? [parameterRef('If-None-Match')] : []),
    ...(operation.ifMatch ? [parameterRef('If-Match')] : []),
    ...(operation.idempotent ? [parameterRef('Idempotency-Key')] : []),
  ] as NonNullable<OperationObject['parameters']>;
}

function addDescription(operationObject: OperationObject, operation: OperationOptions): void {
  const { role, accessDescription, deprecated, optionalBody } = operation;
  const requiredRole =
    role &&
    `Requires the \`${role}\` role in the workspace${role === 'owner' ? '' : ', or a higher role'}.`;
  const sentences = [
    accessDescription ?? requiredRole,
    deprecated &&
      `Deprecated. May be removed on or after ${deprecated.sunset}. ${deprecated.replacement}`,
  ];
  const description = [operationObject.description, ...sentences].filter(Boolean).join('\n\n');
  if (description) operationObject.description = description;
  if (optionalBody) Object.assign(operationObject.requestBody ?? {}, { required: false });
}

function addAlternative(
  responses: Record<string, ResponseObject>,
  { status = 200, alternative }: OperationOptions,
): void {
  if (alternative === undefined) return;
  const schema = { type: 'array', items: { $ref: getSchemaPath(alternative.item) } };
  Object.assign(responses[status]?.content ?? {}, { [alternative.mediaType]: { schema } });
}

function addExamples(
  { requestBody, responses }: OperationObject,
  { id, status = 200, alternative, mayCreate }: OperationOptions,
): void {
  const addExample = (
    target: object | undefined,
    example: object | undefined,
    mediaType = 'application/json',
  ) => {
    const { content } = (target ?? {}) as { content?: Record<string, object> };
    if (example) Object.assign(content?.[mediaType] ?? {}, { example });
  };
  addExample(requestBody, requestExamples[id]);
  addExample(responses[status], responseExamples[id]);
  if (mayCreate) addExample(responses['201'], responseExamples[id]);
  addExample(responses[status], alternativeExamples[id], alternative?.mediaType);
}

function responseHeadersOf(operation: OperationOptions, status: string, method: Method): object {
  const names: string[] = [];
  const isSuccess = Number(status) === (operation.status ?? 200);
  const isCreation = operation.mayCreate ? status === '201' : method === 'post' && isSuccess;
  if (operation.etag && (isSuccess || isCreation || status === '304')) names.push('ETag');
  if (operation.location && isCreation) names.push('Location');
  return {
    ...Object.fromEntries(names.map((name) => [name, headerRef(name)])),
    ...deprecationHeadersOf(operation),
  };
}

/** The errors that a request can cause, derived from what the route accepts. */
function errorCodesOf(operation: OperationOptions, method: Method, hasInput: boolean): ErrorCode[] {
  const { role, isPublic, ifMatch, idempotent, errors = {} } = operation;
  const codes: (ErrorCode | false | undefined)[] = [
    hasInput && 'invalid',
    !isPublic && 'unauthorized',
    // Galley replays the stored response for an idempotency key only if the caller still has the role.
    (role ?? idempotent) && 'forbidden',
    (role ?? idempotent) && 'not_found',
    idempotent && 'in_progress',
    idempotent && 'conflict',
    ifMatch && 'stale',
    idempotent && 'key_reused',
    method !== 'get' && 'too_large',
    method !== 'get' && 'unsupported_media_type',
    'internal',
    // While the issuer's keys cannot be fetched, new tokens cannot be verified.
    !isPublic && 'unavailable',
    ...(Object.keys(errors) as ErrorCode[]),
  ];
  return [...new Set(codes)].filter((code) => code !== false && code !== undefined);
}

/** Only request schemas forbid unknown fields, because responses may gain fields later. */
function forbidAdditionalProperties(schemas: SchemaMap) {
  for (const [name, schema] of Object.entries(schemas)) {
    if (/(Dto|Operation)$/.test(name)) Object.assign(schema, { additionalProperties: false });
  }
}
