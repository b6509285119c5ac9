import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { errorCodes, type ErrorCode } from '#errors';
import type { ApiResponse } from './api-response.js';
import {
  openApi,
  findOperation,
  resolve,
  type Operation,
  type Parameter,
  type Response,
  type Schema,
} from './openapi.js';

/** A copy of openapi.json in which schemas with named fields allow no other fields. */
const strictDocument = structuredClone(openApi);
for (const schema of Object.values(strictDocument.components.schemas)) {
  if (schema.properties) schema.additionalProperties ??= false;
}

const ajv = new Ajv2020({ allErrors: true, strict: false });
addFormats.default(ajv);
ajv.addSchema(strictDocument, 'galley');

const validators = new Map<string, ValidateFunction>();

function validatorOf(schema: Schema): ValidateFunction {
  const key = JSON.stringify(schema);
  const known = validators.get(key);
  if (known) return known;
  const text = key.replaceAll('"#/components', '"galley#/components');
  const validator = ajv.compile(JSON.parse(text) as object);
  validators.set(key, validator);
  return validator;
}

/** Lists how a value differs from a schema of the document. */
function findSchemaProblems(schema: Schema, value: unknown): string[] {
  const validate = validatorOf(schema);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message = '', params }) =>
      `${instancePath || 'it'} ${message} ${JSON.stringify(params)}`,
  );
}

// A response must not have one of these headers unless openapi.json describes the header for that response.
const HEADERS = [
  'etag',
  'location',
  'retry-after',
  'deprecation',
  'sunset',
  'link',
  'www-authenticate',
  'ratelimit',
  'ratelimit-policy',
  'cache-control',
];
const ERROR: Schema = { $ref: '#/components/schemas/ApiError' };

/** @throws if a response of the API differs from openapi.json. */
export function expectDocumentedResponse(
  method: string,
  path: string,
  response: ApiResponse<unknown>,
): void {
  // A request with one of these responses does not reach a route, as the description in openapi.json says.
  const operation = [408, 417, 431].includes(response.status)
    ? undefined
    : findOperation(method, path);
  const problems = operation
    ? findResponseProblems(operation, method, response)
    : [
        ...(response.status < 400 ? ['a success without an operation'] : []),
        ...findSchemaProblems(ERROR, response.body),
      ];
  problems.push(...findCodeProblems(response));
  if (problems.length === 0) return;
  const name = operation?.operationId ?? 'what is no operation';
  const excerpt = `${response.status} ${response.text.slice(0, 500)}`;
  throw new Error(
    `openapi.json does not say this of ${name} (${method} ${path}): ${problems.join('; ')}\n${excerpt}`,
  );
}

/** The schema allows every error code for every status, so this function checks the status of the code. */
function findCodeProblems({ status, body }: ApiResponse<unknown>): string[] {
  if (status < 400 || body === undefined) return [];
  const { code } = body as { code?: ErrorCode };
  const kind = code && errorCodes[code];
  return kind?.status === status ? [] : [`the code ${code} with the status ${status}`];
}

function findResponseProblems(
  { responses }: Operation,
  method: string,
  { status, headers, text, body }: ApiResponse<unknown>,
): string[] {
  const documented = responses[status];
  if (documented === undefined) return [`the status ${status}`];
  const response = resolve<Response>(documented);
  const documentedHeaders = Object.entries(response.headers ?? {});
  const names = documentedHeaders.map(([name]) => name.toLowerCase());
  const unexpected = HEADERS.filter((name) => headers.has(name) && !names.includes(name));
  const headerProblems = documentedHeaders.flatMap(([name, header]) => {
    const { required, schema } = resolve(header);
    const value = headers.get(name);
    if (value === null) return required ? [`no header ${name}`] : [];
    return findSchemaProblems(schema, schema.type === 'integer' ? Number(value) : value);
  });
  // Only complete emails, and responses that clients can revalidate by an ETag, may be cached.
  const isReadWithEtag = /^(GET|HEAD)$/.test(method) && status < 400 && headers.has('etag');
  const isEmail =
    status === 200 && response.content !== undefined && 'text/html' in response.content;
  const controls = isReadWithEtag
    ? ['private, no-cache']
    : isEmail
      ? ['private, max-age=31536000, immutable', 'no-store']
      : ['no-store'];
  return [
    ...(controls.includes(headers.get('cache-control') ?? '')
      ? []
      : [`Cache-Control is not ${controls.join(' or ')}`]),
    ...unexpected.map((name) => `the header ${name}`),
    ...headerProblems,
    ...findBodyProblems(response, method, headers, text, body),
  ];
}

function findBodyProblems(
  { content }: Response,
  method: string,
  headers: Headers,
  text: string,
  body: unknown,
): string[] {
  if (content === undefined || method === 'HEAD') return text === '' ? [] : ['a body'];
  const type = headers.get('content-type') ?? '';
  const mediaType = content[type.replace(/;.*/, '')];
  if (mediaType === undefined) return [`the content type ${type}`];
  return findSchemaProblems(mediaType.schema, body);
}

interface ReceivedNotification {
  headers: Record<string, unknown>;
  body: string;
}

/** @throws if a notification differs from what openapi.json describes to subscribers. */
export function expectDocumentedNotification({ headers, body }: ReceivedNotification): void {
  const payload = JSON.parse(body) as { event: string };
  const { post } = openApi.webhooks[payload.event] ?? {};
  if (post === undefined) throw new Error(`openapi.json knows no ${payload.event}.`);
  const ofHeaders = (post.parameters ?? []).flatMap((each) => {
    const { name, schema } = resolve<Parameter>(each);
    const problems = findSchemaProblems(schema, headers[name.toLowerCase()]);
    return problems.map((problem) => `${name} ${problem}`);
  });
  const content: Partial<Record<string, { schema: Schema }>> = { ...post.requestBody?.content };
  const sent = content[String(headers['content-type'])];
  const problems = [
    ...ofHeaders,
    ...(sent ? findSchemaProblems(sent.schema, payload) : ['the content type']),
  ];
  if (problems.length > 0) {
    throw new Error(
      `openapi.json promises another ${payload.event}: ${problems.join('; ')}\n${body}`,
    );
  }
}
