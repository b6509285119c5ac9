import { isObject, type DocumentNode } from '../../document/index.js';
import { declares } from '../html/declarations.js';
import { elementsIn, htmlInside, parseHtml } from '../html/parse-html.js';
import type { MjmlElement } from '../mjml/mjml-element.js';
import { NotImportable } from '../not-importable.js';

const MAX_ELEMENTS = 10_000;
// The documents of editors need no more than ten.
const MAX_DEPTH = 50;

export type Attributes = Record<string, string | number | undefined | null>;

/** Builds MJML elements from the JSON of an editor, and counts them. */
export class Tree {
  private count = 0;

  /**
   * @param source a JSON Pointer to the part of the JSON.
   * @param inside the elements inside, or HTML.
   * @throws NotImportable if there are too many elements.
   */
  element(
    tagName: string,
    attributes: Attributes,
    source: string,
    inside: readonly (MjmlElement | undefined)[] | string = [],
  ): MjmlElement {
    if (++this.count > MAX_ELEMENTS) throw new NotImportable('it has more than 10,000 parts.');
    const isText = typeof inside === 'string';
    return {
      tagName,
      attributes: Object.fromEntries(
        Object.entries(attributes).flatMap(([name, value]) =>
          value === undefined || value === null || value === '' ? [] : [[name, String(value)]],
        ),
      ),
      children: isText ? [] : inside.filter((child) => child !== undefined),
      content: isText ? inside : '',
      source,
    };
  }

  /** The whole email. */
  email(head: readonly (MjmlElement | undefined)[], body: MjmlElement): MjmlElement {
    return this.element('mjml', {}, '', [this.element('mj-head', {}, '', head), body]);
  }
}

/** @throws NotImportable if the content is neither an object nor the JSON of one, or too deep. */
export function parseObject(content: unknown): DocumentNode {
  const value = typeof content === 'string' ? parseJson(content) : content;
  if (!isObject(value)) throw new NotImportable('it must be an object, or its JSON.');
  requireShallow(value);
  return value;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) throw new NotImportable('it is not JSON.');
    throw error;
  }
}

function requireShallow(root: object): void {
  let level: object[] = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) throw new NotImportable(`it is nested more than ${MAX_DEPTH} deep.`);
    level = level.flatMap((value) =>
      Object.values(value).filter(
        (each): each is object => typeof each === 'object' && each !== null,
      ),
    );
  }
}

/** The objects in an array, with their JSON Pointers. */
export function objectsIn(
  value: unknown,
  pointer: string,
): { node: DocumentNode; source: string }[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((node: unknown, index) =>
    isObject(node) ? [{ node, source: `${pointer}/${index}` }] : [],
  );
}

/** Reads a value at a path; undefined if it is neither text nor a number. */
export function at(node: unknown, ...path: readonly string[]): string | undefined {
  const value = path.reduce<unknown>(
    (inside, name) => (isObject(inside) && Object.hasOwn(inside, name) ? inside[name] : undefined),
    node,
  );
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

/** A length in pixels; undefined if the value is no number. */
export const pixels = (value: string | undefined): string | undefined =>
  value !== undefined && /^\d+(?:\.\d+)?$/.test(value) ? `${value}px` : undefined;

/** A padding from an object with its sides. */
export function paddingOf(sides: unknown): string | undefined {
  if (!isObject(sides)) return undefined;
  const values = ['top', 'right', 'bottom', 'left'].map((side) => pixels(at(sides, side)) ?? '0');
  return values.join(' ');
}

/** The classes that Galley reads as the visibility of a node. */
export const visibilityClass = (isHidden: {
  onPhones?: boolean | undefined;
  elsewhere?: boolean | undefined;
}): string | undefined => {
  if (isHidden.elsewhere === true) return 'galley-mobile-only';
  return isHidden.onPhones === true ? 'galley-desktop-only' : undefined;
};

/** Gives paragraphs and headings in a text the margin that the editor gives them. */
export function withMargins(html: string, margin = '0'): string {
  if (!/<(?:p|h[1-6])\b/i.test(html)) return html;
  const document = parseHtml(html);
  for (const { name, attribs } of elementsIn(document)) {
    if (!/^(?:p|h[1-6])$/.test(name) || declares(attribs['style'], 'margin')) continue;
    attribs['style'] = [`margin:${margin}`, attribs['style']].filter(Boolean).join(';');
  }
  return htmlInside(document);
}

/** A percentage of all, for a column that has a share of the width. */
export const shareOf = (part: number, all: number): string =>
  `${Number(((part * 100) / all).toFixed(4))}%`;
