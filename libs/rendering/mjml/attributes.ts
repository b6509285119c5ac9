import mjmlCore from 'mjml-core';
import presetCore from 'mjml-preset-core';
import { SAFE_CSS } from './css-value.js';
import { asText, type DocumentNode, type Drawing, type Place } from './drawing.js';
import { escapeText } from './mjml-node.js';
import { isSafeUrl } from './safe-url.js';

const URL_ATTRIBUTES = new Set(['href', 'src']);
// MJML puts this address into `url('…')`, where a quote would end the address.
// The characters for private use are placeholders, and a value in CSS would have to be escaped in another way.
const URL_IN_CSS = /^[^\s'"()\\<>\ue000-\uf8ff]*$/;
// The other attributes become CSS.
const TEXT_ATTRIBUTES = new Set(['alt', 'title', 'name', 'target', 'rel']);
const MAX_TEXT_LENGTH = 2_000;
// MJML reads these as booleans, and then fails.
const BOOLEANS = ['true', 'false'];

type IsValid = (value: string) => boolean;

/** The attributes of each element of MJML, with the check of their values. */
const elements = new Map(
  presetCore.components.map(({ componentName, allowedAttributes = {} }) => [
    componentName,
    new Map<string, IsValid>(
      Object.entries(allowedAttributes).map(([name, type]) => {
        const Type = mjmlCore.initializeType(type);
        return [name, (value) => new Type(value).isValid()];
      }),
    ),
  ]),
);

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
  const allowed = elements.get(tagName);
  const attributes: Record<string, string> = {};
  const unknown: string[] = [];
  for (const [name, value] of Object.entries(properties)) {
    // Editors store empty texts for what nobody has set.
    if (used.includes(name) || value === '' || value === null) continue;
    const text = asText(value) ?? '';
    const isValid = allowed?.get(name);
    if (isValid === undefined) unknown.push(name);
    else if (text !== '' && isAllowed(name, text) && isValid(text)) {
      attributes[name] = escapeText(text.trim());
    } else drawing.warn(place, `${name} has a value that cannot be drawn, and is left out.`);
  }
  if (unknown.length > 0) {
    const names = unknown.join(', ').slice(0, MAX_TEXT_LENGTH);
    drawing.warn(place, `${names}: no property of this node.`);
  }
  return attributes;
}

function isAllowed(name: string, value: string): boolean {
  if (value.length > MAX_TEXT_LENGTH || BOOLEANS.includes(value)) return false;
  if (name === 'background-url') return isSafeUrl(value) && URL_IN_CSS.test(value);
  if (URL_ATTRIBUTES.has(name)) return isSafeUrl(value);
  return TEXT_ATTRIBUTES.has(name) || SAFE_CSS.test(value);
}
