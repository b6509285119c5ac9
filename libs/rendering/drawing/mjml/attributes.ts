import mjmlCore from 'mjml-core';
import presetCore from 'mjml-preset-core';
import { isAllowed, MAX_TEXT_LENGTH, withCommas } from './attribute-values.js';
import {
  asText,
  escapeText,
  type Attributes,
  type Direction,
  type DocumentNode,
  type Place,
} from '../../document/index.js';
import { Column } from './components/column.js';
import type { Drawing } from './drawing.js';

/** The name that stands for the columns of a table, which MJML does not know. */
export const TABLE_COLUMN = 'table-column';

/** The attributes of every MJML element, with their types, such as `unit(px,%)`. */
const elements = new Map(
  presetCore.components.map(({ componentName, allowedAttributes = {} }) => [
    componentName,
    // MJML allows `css-class` on every element, but `allowedAttributes` does not contain it.
    new Map(Object.entries({ ...allowedAttributes, 'css-class': 'string' })),
  ]),
);
// MJML has these attributes, but they change nothing in any mail client. The mode `fluid-height` of a hero would need
// the size of the picture, which Galley does not know.
for (const [tagName, names] of [
  ['mj-hero', ['mode', 'background-width', 'background-height']],
  ['mj-wrapper', ['gutter', 'text-padding']],
] as const) {
  for (const name of names) elements.get(tagName)?.delete(name);
}
for (const [name, type] of Object.entries(Column.allowedAttributes)) {
  elements.get('mj-column')?.set(name, type);
}
// MJML does not draw the cells of tables.
elements.get('mj-table')?.set('cell-padding', 'unit(px,%){1,4}').set('row-border', 'string');
// MJML has these properties for the titles and texts of an accordion.
elements
  .get('mj-accordion')
  ?.set('font-size', 'unit(px)')
  .set('line-height', 'unit(px,%,)')
  .set('color', 'color');
elements.set(
  TABLE_COLUMN,
  new Map(Object.entries({ align: 'enum(left,center,right)', width: 'unit(px,%)' })),
);

// MJML has these attributes, but they change nothing that a reader sees.
const WITHOUT_EFFECT: Record<string, readonly string[]> = {
  'mj-section': ['text-padding'],
  'mj-social': ['table-layout', 'vertical-align'],
  'mj-spacer': ['border', 'border-top', 'border-right', 'border-bottom', 'border-left'],
  'mj-text': ['vertical-align'],
};
export const hasEffect = (tagName: string, name: string): boolean =>
  WITHOUT_EFFECT[tagName]?.includes(name) !== true;

/** The attributes of an MJML element, with their types; empty for an unknown element. */
export const attributeTypes = (tagName: string): ReadonlyMap<string, string> =>
  elements.get(tagName) ?? new Map<string, string>();

/** The names of the attributes of an MJML element, except those with the given names. */
export const attributesExcept = (tagName: string, names: readonly string[]): string[] =>
  [...attributeTypes(tagName).keys()].filter((name) => !names.includes(name));

/** Whether Galley draws an attribute with this value. The element must have the attribute. */
export function isDrawable(tagName: string, name: string, value: string): boolean {
  const type = attributeTypes(tagName).get(name) ?? 'string';
  if (Object.hasOwn(SIDES, value) && isAlignment(type)) return true;
  return value !== '' && isAllowed(name, value) && isOfType(type, value);
}

/** The sides at which a text starts and ends, by direction. MJML knows only left and right. */
export const SIDES: Record<string, Record<Direction, 'left' | 'right'>> = {
  start: { ltr: 'left', rtl: 'right' },
  end: { ltr: 'right', rtl: 'left' },
};

/**
 * Whether an attribute of this type aligns something to the left or right. Such attributes may also have the values in
 * `SIDES`.
 */
export const isAlignment = (type: string): boolean => /^enum\(.*\bleft\b.*\)$/.test(type);

// `initializeType` creates a new class on every call, which takes as long as all other work on an attribute.
const types = new Map<string, ReturnType<typeof mjmlCore.initializeType>>();
// Documents repeat few values in many nodes, and MJML needs microseconds to validate a value.
const validities = new Map<string, boolean>();
// A value that is validated has at most 200 characters, so the values take at most 2 MB.
const MAX_VALIDITIES = 5_000;
const COLOUR = /^[#\w\s(),.%/-]*$/;

function isOfType(type: string, value: string): boolean {
  if (type === 'string') return true;
  // MJML also accepts a colour inside of other text.
  if (type === 'color' && !COLOUR.test(value)) return false;
  const key = `${type} ${value}`;
  const known = validities.get(key);
  if (known !== undefined) return known;
  const Type = types.get(type) ?? mjmlCore.initializeType(type);
  types.set(type, Type);
  const isValid = new Type(value).isValid();
  if (validities.size >= MAX_VALIDITIES) validities.clear();
  validities.set(key, isValid);
  return isValid;
}

/**
 * Returns the properties of a node that are valid attributes of the MJML element. All other properties cause a warning.
 *
 * @param used names of properties that the caller handles itself.
 * @param except names of attributes that the node does not have.
 */
export function attributesOf(
  drawing: Drawing,
  place: Place,
  properties: DocumentNode,
  tagName: string,
  used: readonly string[] = [],
  except: readonly string[] = [],
): Record<string, string> {
  const types = attributeTypes(tagName);
  const attributes: Record<string, string> = {};
  const unknown: string[] = [];
  for (const [name, value] of Object.entries(properties)) {
    // Editors store empty strings for properties that are not set.
    if (used.includes(name) || value === '' || value === null) continue;
    const text = textOf(value, types.get(name));
    if (!types.has(name) || except.includes(name)) unknown.push(name);
    else if (!hasEffect(tagName, name)) drawing.warn(place, `${name} has no effect on this node.`);
    else if (isDrawable(tagName, name, text)) {
      attributes[name] = drawnValue(drawing, name, types.get(name) ?? '', text);
    } else drawing.warn(place, `${name} has an invalid value, and is ignored.`);
  }
  if (unknown.length > 0) {
    const names = unknown.join(', ').slice(0, MAX_TEXT_LENGTH);
    drawing.warn(place, `${names}: not a property of this node.`);
  }
  return attributes;
}

/** The value of an attribute as MJML expects it. */
export function textOf(value: unknown, type: string | undefined): string {
  const text = asText(value)?.trim() ?? '';
  return type === 'color' ? withCommas(text) : text;
}

/**
 * MJML has no background of a text, only of the block, so a background of a text becomes the background of its block.
 */
export function backgroundOfBlock(
  attributes: Record<string, string>,
  tagName: string,
): Record<string, string> {
  const { 'background-color': background, ...others } = attributes;
  if (tagName !== 'mj-text' || background === undefined) return attributes;
  return { 'container-background-color': background, ...others };
}

/** Turns default properties, which are always valid, into attributes of an MJML element. */
export const defaultAttributes = (
  drawing: Drawing,
  defaults: Attributes,
  tagName: string,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(defaults).map(([name, value]) => [
      name,
      drawnValue(drawing, name, attributeTypes(tagName).get(name) ?? '', value),
    ]),
  );

function drawnValue(
  { direction, fonts }: Drawing,
  name: string,
  type: string,
  value: string,
): string {
  if (Object.hasOwn(SIDES, value) && isAlignment(type)) return SIDES[value]?.[direction] ?? '';
  return escapeText(name === 'font-family' ? fonts.stackOf(value) : value);
}
