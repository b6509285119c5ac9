import presetCore from 'mjml-preset-core';
import { attributeTypes, hasEffect, isDrawable } from '../../drawing/index.js';
import type { Report } from '../report.js';
import type { Head } from './head.js';
import type { MjmlElement } from './mjml-element.js';

type Attributes = Record<string, string>;

const isText = (entry: [string, unknown]): entry is [string, string] =>
  typeof entry[1] === 'string';

/** The attributes of the elements of MJML that set none, by element name. */
const defaults = new Map(
  presetCore.components.map(({ componentName, defaultAttributes = {} }) => [
    componentName,
    Object.fromEntries(Object.entries(defaultAttributes).filter(isText)),
  ]),
);
export const defaultsOf = (tagName: string): Attributes => defaults.get(tagName) ?? {};

// Attributes of MJML that change the size of a background, or of a picture: `hero` and `image` read them.
const READ_ELSEWHERE: Record<string, readonly string[]> = {
  'mj-hero': ['mode', 'background-width', 'background-height'],
  'mj-image': ['fluid-on-mobile'],
  // MJML knows this attribute, and does not draw it.
  'mj-text': ['background-color'],
};

/** The attributes that the head sets for all elements with a name, without those of a class. */
export const attributesOfHead = (head: Head, tagName: string): Attributes => ({
  ...head.all,
  ...head.byTagName.get(tagName),
});

// Names beyond this number are ignored. An author writes a few.
const MAX_CLASSES = 50;
const namesIn = (classNames: string): string[] => classNames.split(' ', MAX_CLASSES);

/**
 * The attributes that an element has in MJML, without the defaults of MJML.
 *
 * @param classAround the `mj-class` of the nearest element around that has one.
 */
export function attributesSet(
  head: Head,
  { tagName, attributes }: MjmlElement,
  classAround = '',
): Attributes {
  const { 'mj-class': classNames = '', ...own } = attributes;
  const ofClasses = namesIn(classNames).map((name) => head.byClass.get(name) ?? {});
  const inside = namesIn(classAround).map((name) => head.insideClass.get(name)?.get(tagName));
  const classes = ofClasses.flatMap(({ 'css-class': name }) => (name === undefined ? [] : [name]));
  return {
    ...attributesOfHead(head, tagName),
    ...(Object.assign({}, ...ofClasses, ...inside) as Attributes),
    ...(classes.length > 0 && { 'css-class': classes.join(' ') }),
    ...own,
  };
}

/** Returns the attributes that Galley draws. The others cause an entry of the report if they are no defaults of MJML. */
export function drawableAttributes(
  report: Report,
  { tagName, source }: Pick<MjmlElement, 'tagName' | 'source'>,
  attributes: Attributes,
): Attributes {
  const types = attributeTypes(tagName);
  const drawable: Attributes = {};
  const lost: string[] = [];
  for (const [name, value] of Object.entries(attributes)) {
    const text = value.trim();
    const isRead = READ_ELSEWHERE[tagName]?.includes(name) === true;
    if (isRead || text === '' || !types.has(name) || !hasEffect(tagName, name)) continue;
    if (isDrawable(tagName, name, text)) drawable[name] = text;
    else if (defaultsOf(tagName)[name] !== value) lost.push(`${name}="${text.slice(0, 100)}"`);
  }
  if (lost.length > 0) {
    report.add('lost', source, `Galley does not draw ${lost.join(', ')} of ${tagName}.`);
  }
  return drawable;
}
