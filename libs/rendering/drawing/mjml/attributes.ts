import mjmlCore from 'mjml-core';
import presetCore from 'mjml-preset-core';
import { isAllowed, MAX_TEXT_LENGTH } from './attribute-values.js';
import { asText, escapeText, type DocumentNode, type Place } from '../../document/index.js';
import type { Drawing } from './drawing.js';

/** The attributes of every MJML element, with their types, such as `unit(px,%)`. */
const elements = new Map(
  presetCore.components.map(({ componentName, allowedAttributes = {} }) => [
    componentName,
    // MJML allows `css-class` on every element, but `allowedAttributes` does not contain it.
    new Map(Object.entries({ ...allowedAttributes, 'css-class': 'string' })),
  ]),
);

/** The attributes of an MJML element, with their types; empty for an unknown element. */
export const attributeTypes = (tagName: string): ReadonlyMap<string, string> =>
  elements.get(tagName) ?? new Map<string, string>();

/** Whether Galley draws an attribute with this value. The element must have the attribute. */
export function isDrawable(tagName: string, name: string, value: string): boolean {
  const type = attributeTypes(tagName).get(name) ?? 'string';
  return value !== '' && isAllowed(name, value) && isOfType(type, value);
}

// `initializeType` creates a new class on every call, which takes as long as all other work on an attribute.
const types = new Map<string, ReturnType<typeof mjmlCore.initializeType>>();

function isOfType(type: string, value: string): boolean {
  const Type = types.get(type) ?? mjmlCore.initializeType(type);
  types.set(type, Type);
  return new Type(value).isValid();
}

/**
 * Returns the properties of a node that are valid attributes of the MJML element. All other properties cause a warning.
 *
 * @param used names of properties that the caller handles itself.
 */
export function attributesOf(
  drawing: Drawing,
  place: Place,
  properties: DocumentNode,
  tagName: string,
  used: readonly string[] = [],
): Record<string, string> {
  const types = attributeTypes(tagName);
  const attributes: Record<string, string> = {};
  const unknown: string[] = [];
  for (const [name, value] of Object.entries(properties)) {
    // Editors store empty strings for properties that are not set.
    if (used.includes(name) || value === '' || value === null) continue;
    const text = asText(value) ?? '';
    if (!types.has(name)) unknown.push(name);
    else if (isDrawable(tagName, name, text)) attributes[name] = escapeText(text.trim());
    else drawing.warn(place, `${name} has an invalid value, and is ignored.`);
  }
  if (unknown.length > 0) {
    const names = unknown.join(', ').slice(0, MAX_TEXT_LENGTH);
    drawing.warn(place, `${names}: not a property of this node.`);
  }
  return attributes;
}
