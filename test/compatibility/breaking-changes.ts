/*
 * The breaking changes between two OpenAPI documents. The comparison is Galley's own: oasdiff and openapi-changes are
 * programs in Go, which `npm ci` does not install, and no maintained package of npm knows webhooks, headers of responses
 * and security. The name of each change is also what the changelog must list.
 */
import { isDeepStrictEqual } from 'node:util';
import type {
  Content,
  DocumentedOperation,
  Header,
  OpenApi,
  Parameter,
  Reference,
  Response,
  Schema,
} from '../support/api/openapi.js';
import { placeOf, SchemaComparison, type Member, type Resolve } from './schema-changes.js';

interface Operation {
  described: DocumentedOperation;
  /** The method and the path; for a notification, the method and the kind of event. */
  address: string;
  /** Whether Galley sends the request to receivers. Its body is then compared like a response. */
  isNotification: boolean;
  security: string[];
}

/**
 * Changes that callers and receivers would have to follow, in the words in which CHANGELOG.md must name
 * them. No existing tool is sufficient for this document: most do not know OpenAPI 3.1. oasdiff does, but
 * treats notifications as requests and ignores changes for which it has no rule, such as a lower
 * `maxItems`. Here every difference is breaking unless it is known to be harmless.
 */
export function breakingChanges(before: OpenApi, after: OpenApi): string[] {
  return new DocumentComparison(before, after).changes();
}

class DocumentComparison {
  private readonly inBefore = resolverOf(this.before);
  private readonly inAfter = resolverOf(this.after);
  private readonly requests = new SchemaComparison('request', this.inBefore, this.inAfter);
  private readonly responses = new SchemaComparison('response', this.inBefore, this.inAfter);

  constructor(
    private readonly before: OpenApi,
    private readonly after: OpenApi,
  ) {}

  changes(): string[] {
    const now = operationsOf(this.after);
    const found = [...operationsOf(this.before)].flatMap(([id, was]) => {
      const is = now.get(id);
      return is ? this.ofOperations(was, is, id) : [`operation-removed ${id}`];
    });
    return [...new Set(found)];
  }

  private ofOperations(was: Operation, is: Operation, id: string): string[] {
    const sent = was.isNotification ? this.responses : this.requests;
    const isStillAccepted =
      is.security.includes('[]') || was.security.every((way) => is.security.includes(way));
    return [
      ...(was.address === is.address ? [] : [`operation-moved ${id}`]),
      ...(isStillAccepted ? [] : [`operation-security ${id}`]),
      ...this.ofParameters(sent, was.described, is.described, id),
      ...sent.presence(was.described.requestBody, is.described.requestBody, `${id} body`),
      ...ofContents(sent, was.described.requestBody, is.described.requestBody, `${id} body`),
      ...this.ofResponses(was, is, id),
    ];
  }

  private ofParameters(
    sent: SchemaComparison,
    was: DocumentedOperation,
    is: DocumentedOperation,
    id: string,
  ): string[] {
    const [before, after] = [parametersOf(was, this.inBefore), parametersOf(is, this.inAfter)];
    const findStyleChanges = [...before].filter(([name, { style }]) => {
      const now = after.get(name);
      return now && !isDeepStrictEqual(style, now.style);
    });
    return [
      ...sent.members(before, after, (name) => `${id} ${name}`),
      ...findStyleChanges.map(([name]) => `request-style ${id} ${name}`),
    ];
  }

  private ofResponses(was: Operation, is: Operation, id: string): string[] {
    const [before, after] = [was.described.responses, is.described.responses];
    const removed = Object.keys(before).filter((status) => !(status in after));
    // These are responses of receivers. A receiver need not use an added status, and openapi.json describes
    // nothing but the statuses.
    if (was.isNotification) return removed.map((status) => `status-removed ${id} ${status}`);
    // Clients can treat an unknown error like 400 or 500. Only clients that send `If-None-Match` get 304.
    const added = Object.keys(after).filter(
      (status) => !(status in before) && /^[123]/.test(status) && status !== '304',
    );
    return [
      ...removed.map((status) => `status-removed ${id} ${status}`),
      ...added.map((status) => `status-added ${id} ${status}`),
      ...Object.keys(before).flatMap((status) =>
        status in after ? this.ofResponse(before[status], after[status], `${id} ${status}`) : [],
      ),
    ];
  }

  private ofResponse(
    before: Response | Reference | undefined,
    after: Response | Reference | undefined,
    where: string,
  ): string[] {
    const [was, is] = [this.inBefore(before), this.inAfter(after)];
    const place = placeOf(was, is, where);
    const [response, later] = [was.value as Response, is.value as Response];
    return [
      ...this.responses.members(
        headersOf(response, this.inBefore),
        headersOf(later, this.inAfter),
        (name) => `${place} header ${name}`,
      ),
      ...ofContents(this.responses, response, later, place),
    ];
  }
}

interface Message {
  content?: Content;
}

function ofContents(
  comparison: SchemaComparison,
  before: Message | undefined,
  after: Message | undefined,
  where: string,
): string[] {
  if (before === undefined || after === undefined) return [];
  const later = new Map(contentsOf(after));
  return contentsOf(before).flatMap(([type, { schema }]) => {
    const is = later.get(type);
    return is
      ? comparison.changes(schema, is.schema, where)
      : [`media-type-removed ${where} ${type}`];
  });
}

const contentsOf = ({ content = {} as Content }: Message) =>
  Object.entries(content as unknown as Record<string, { schema: Schema }>);

const resolverOf =
  (document: OpenApi): Resolve =>
  (value) => {
    const { $ref, ...besides } = value as Reference;
    if (typeof $ref !== 'string') return { value };
    const names = $ref.split('/').slice(1);
    const target = names.reduce<unknown>(
      (at, name) => (at as Record<string, unknown>)[name],
      document,
    );
    return { value: { ...(target as object), ...besides } as typeof value, name: names.at(-1) };
  };

function operationsOf(document: OpenApi): Map<string, Operation> {
  const { securitySchemes } = document.components;
  const of = (items: Record<string, object>, isNotification: boolean) =>
    Object.entries(items).flatMap(([path, item]) =>
      Object.entries(item).map(([method, described]: [string, DocumentedOperation]) => {
        const ways = (described.security ?? document.security ?? []) as Record<string, string[]>[];
        const security = (ways.length > 0 ? ways : [{}]).map((way) =>
          JSON.stringify(
            Object.entries(way).map(([name, scopes]) => {
              const scheme = { ...securitySchemes[name], description: undefined };
              return [name, scheme, scopes];
            }),
          ),
        );
        const operation = { described, address: `${method} ${path}`, isNotification, security };
        return [described.operationId, operation] as const;
      }),
    );
  return new Map([...of(document.paths, false), ...of(document.webhooks, true)]);
}

interface Styled extends Member {
  style: unknown[];
}

const parametersOf = (operation: DocumentedOperation, resolve: Resolve): Map<string, Styled> =>
  new Map(
    (operation.parameters ?? []).map((parameter) => {
      const { value, name: shared } = resolve<Parameter | Reference>(parameter);
      const { name, in: where, required = false, schema, style, explode } = value as Parameter;
      const key = `${where} ${where === 'header' ? name.toLowerCase() : name}`;
      return [key, { required, schema, name: shared, style: [style, explode] }];
    }),
  );

const headersOf = ({ headers = {} }: Response, resolve: Resolve): Map<string, Member> =>
  new Map(
    Object.entries(headers).map(([name, header]) => {
      const { value, name: shared } = resolve<Header | Reference>(header);
      const { required = false, schema } = value as Header;
      return [name.toLowerCase(), { required, schema, name: shared }];
    }),
  );
