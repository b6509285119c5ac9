import mjmlCore from 'mjml-core';
import presetCore from 'mjml-preset-core';
import { MAX_CSS_LENGTH, SAFE_CSS } from './css-value.js';
import { asText, type DocumentNode, type Drawing, type Place } from './drawing.js';
import { escapeText } from './mjml-node.js';
import { isSafeUrl } from './safe-url.js';

const URL_ATTRIBUTES = new Set(['href', 'src']);
// MJML puts this address into `url('…')`, where a quote would end the address.
// The characters for private use are placeholders, and a value in CSS would have to be escaped in another way.
const URL_IN_CSS = /^[^\s'"()\\<>\ue000-\uf8ff]*$/;
// The other attributes become CSS.
const TEXT_ATTRIBUTES = new Set(['alt', 'title', 'name', 'target', 'rel']);
const CLASSES = /^[\w -]{1,200}$/;
const MAX_TEXT_LENGTH = 2_000;
// MJML reads these as booleans, and then fails.
const BOOLEANS = ['true', 'false'];

/** The attributes of each element of MJML, with their types, such as `unit(px,%)`. */
const elements = new Map(
  presetCore.components.map(({ componentName, allowedAttributes = {} }) => [
    componentName,
    // MJML allows classes on each element, and lists them with none.
    new Map(Object.entries({ ...allowedAttributes, 'css-class': 'string' })),
  ]),
);

/** The attributes of an element of MJML, with their types. */
export const attributeTypes = (tagName: string): ReadonlyMap<string, string> =>
  elements.get(tagName) ?? new Map<string, string>();

/** Whether Galley draws an attribute with this value. The element must have the attribute. */
export function isDrawable(tagName: string, name: string, value: string): boolean {
  const type = attributeTypes(tagName).get(name) ?? 'string';
  return value !== '' && isAllowed(name, value) && isOfType(type, value);
}

// MJML makes a class of a type with each call, which takes as long as all other work with an attribute.
const types = new Map<string, ReturnType<typeof mjmlCore.initializeType>>();

function isOfType(type: string, value: string): boolean {
  const Type = types.get(type) ?? mjmlCore.initializeType(type);
  types.set(type, Type);
  return new Type(value).isValid();
}

/**
 * The properties of a node that are attributes of the MJML element. The others are left out, with a warning.
 * @param used names that the caller uses itself.
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
    // Editors store empty texts for what nobody has set.
    if (used.includes(name) || value === '' || value === null) continue;
    const text = asText(value) ?? '';
    if (!types.has(name)) unknown.push(name);
    else if (isDrawable(tagName, name, text)) attributes[name] = escapeText(text.trim());
    else drawing.warn(place, `${name} has a value that cannot be drawn, and is left out.`);
  }
  if (unknown.length > 0) {
    const names = unknown.join(', ').slice(0, MAX_TEXT_LENGTH);
    drawing.warn(place, `${names}: no property of this node.`);
  }
  return attributes;
}

const isForCss = (name: string): boolean =>
  name !== 'background-url' && !URL_ATTRIBUTES.has(name) && !TEXT_ATTRIBUTES.has(name);

/** The maximal length of the values of an attribute. */
export const maxLengthOf = (name: string): number =>
  isForCss(name) ? MAX_CSS_LENGTH : MAX_TEXT_LENGTH;

function isAllowed(name: string, value: string): boolean {
  if (value.length > MAX_TEXT_LENGTH || BOOLEANS.includes(value)) return false;
  if (name === 'background-url') return isSafeUrl(value) && URL_IN_CSS.test(value);
  if (URL_ATTRIBUTES.has(name)) return isSafeUrl(value);
  if (name === 'css-class') return CLASSES.test(value);
  return !isForCss(name) || SAFE_CSS.test(value);
}
