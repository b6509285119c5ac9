import type { OpenAPIObject } from '@nestjs/swagger';

/** Names each schema after its class, but without the suffix: `TemplateResponse` becomes `Template`. */
export const stripClassSuffixes = (document: OpenAPIObject): OpenAPIObject => {
  const schemas = Object.entries(document.components?.schemas ?? {}).map(
    ([name, schema]) => [schemaNameOf(name), schema] as const,
  );
  const names = new Set(schemas.map(([name]) => name));
  if (names.size < schemas.length)
    throw new Error('Two classes have the same name in the OpenAPI document.');
  const sorted = Object.fromEntries(schemas.sort(([a], [b]) => (a < b ? -1 : 1)));
  const renamed = { ...document, components: { ...document.components, schemas: sorted } };
  const json = JSON.stringify(renamed).replace(
    /(#\/components\/schemas\/)(\w+)"/g,
    (_all, path: string, name: string) => `${path}${schemaNameOf(name)}"`,
  );
  return JSON.parse(json, unwrapSingleAllOf) as OpenAPIObject;
};

/** Since OpenAPI 3.1, a `$ref` may have sibling keywords, so no `allOf` is needed. */
function unwrapSingleAllOf(_key: string, value: unknown): unknown {
  const { allOf, ...rest } = (value ?? {}) as { allOf?: unknown };
  return Array.isArray(allOf) && allOf.length === 1 ? { ...rest, ...(allOf[0] as object) } : value;
}

const schemaNameOf = (name: string): string => name.replace(/(Dto|Response)$/, '');
