import { readFileSync } from 'node:fs';

export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  anyOf?: Schema[];
  allOf?: Schema[];
  oneOf?: Schema[];
  [keyword: string]: unknown;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  schema: Schema;
  style?: string;
  explode?: boolean;
}

interface MediaType {
  schema: Schema;
  example?: unknown;
}

export interface Content extends Partial<Record<string, MediaType>> {
  'application/json': MediaType;
}

export interface Response {
  description: string;
  headers?: Record<string, Reference | Header>;
  content?: Content;
}

export interface Header {
  required?: boolean;
  schema: Schema;
}

export interface Reference {
  $ref: string;
}

export interface DocumentedOperation {
  operationId: string;
  tags: string[];
  security?: unknown[];
  parameters?: (Parameter | Reference)[];
  requestBody?: { required?: boolean; content: Content };
  responses: Record<string, Reference | Response>;
}

export interface OpenApi {
  security?: unknown[];
  paths: Record<string, Record<string, DocumentedOperation>>;
  webhooks: Record<string, { post: DocumentedOperation }>;
  components: { schemas: Record<string, Schema>; securitySchemes: Record<string, object> };
}

/** The committed openapi.json, which client developers read. */
export const openApi = JSON.parse(readFileSync('openapi.json', 'utf8')) as OpenApi;

/** Resolves a `$ref` of openapi.json. A value without `$ref` is returned unchanged. */
export function resolve<T extends object>(value: T | Reference): T {
  if (!('$ref' in value) || typeof value.$ref !== 'string') return value as T;
  const names = value.$ref.replace('#/', '').split('/');
  return names.reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], openApi) as T;
}

export interface Operation extends DocumentedOperation {
  method: string;
  /** The path as openapi.json writes it: `/api/templates/{id}`. */
  path: string;
}

export const operations: Operation[] = Object.entries(openApi.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({
    method: method.toUpperCase(),
    path,
    ...operation,
  })),
);

/** Whether the body is a form with a file. */
export const isUpload = ({ requestBody }: Operation): boolean =>
  requestBody !== undefined && 'multipart/form-data' in requestBody.content;

const matchers = operations.map((operation) => ({
  operation,
  pattern: new RegExp(`^${operation.path.replace(/\{\w+\}/g, '[^/]+')}$`),
  variables: operation.path.split('{').length,
}));
// If two paths match, the path with fewer variables wins, such as `/deliveries/cancel`.
matchers.sort((one, other) => one.variables - other.variables);

/** The operation of a request; undefined if there is no such route. */
export const findOperation = (method: string, path: string): Operation | undefined =>
  matchers.find(
    ({ operation, pattern }) =>
      operation.method === method.replace('HEAD', 'GET') &&
      pattern.test(path.replace(/[?#].*/, '')),
  )?.operation;
