import mjmlCore from 'mjml-core';
import presetCore from 'mjml-preset-core';
import type { DocumentNode, Drawing, Place } from './drawing.js';
import { escapeText } from './mjml-node.js';
import { isSafeUrl } from './safe-url.js';

const URL_ATTRIBUTES = new Set(['href', 'src', 'base-url']);
// MJML puts this address into `url('…')`, where a quote would end the address.
const URL_IN_CSS = /^[^\s'"()\\<>]*$/;
const TEXT_ATTRIBUTES = new Set(['alt', 'title', 'name', 'target', 'rel']);
// The other attributes become CSS. A value with other characters could end the declaration and begin another
// one, or load something (`url(…)`).
const CSS_VALUE = /^(?![^]*(?:url|expression)\s*\()[\w\s#%.,'"()+-]*$/i;

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
    const text = typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
    const isValid = allowed?.get(name);
    if (isValid === undefined || text === undefined) unknown.push(name);
    else if (isAllowed(name, text) && isValid(text)) attributes[name] = escapeText(text.trim());
    else drawing.warn(place, `${name} has a value that cannot be drawn, and is left out.`);
  }
  if (unknown.length > 0) drawing.warn(place, `${unknown.join(', ')}: no property of this node.`);
  return attributes;
}

function isAllowed(name: string, value: string): boolean {
  if (name === 'background-url') return isSafeUrl(value) && URL_IN_CSS.test(value);
  if (URL_ATTRIBUTES.has(name)) return isSafeUrl(value);
  return TEXT_ATTRIBUTES.has(name) || CSS_VALUE.test(value);
}
