/** A JSON Schema (draft 2020-12), limited to the keywords that the document schema uses. */
export interface JsonSchema {
  $schema?: string;
  $id?: string;
  $ref?: string;
  $defs?: Record<string, JsonSchema>;
  title?: string;
  description?: string;
  type?: string | string[];
  const?: string;
  enum?: (string | number)[];
  deprecated?: boolean;
  default?: string | number | boolean;
  examples?: (string | number)[];
  pattern?: string;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
}

export const ref = (name: string): JsonSchema => ({ $ref: `#/$defs/${name}` });

/** Creates an object schema that allows only the members in `properties`. */
export const closed = (
  description: string,
  properties: Record<string, JsonSchema>,
): JsonSchema => ({
  description,
  type: 'object',
  properties,
  additionalProperties: false,
});
