import { Parser } from 'htmlparser2';
import presetCore from 'mjml-preset-core';
import { requireDepth } from '../html/parse-html.js';
import { NotImportable } from '../not-importable.js';
import type { MjmlElement } from './mjml-element.js';

// The elements whose content MJML copies into the HTML without reading it.
const WITH_HTML = new Set(
  presetCore.components.flatMap(({ componentName, endingTag }) =>
    endingTag === true ? [componentName] : [],
  ),
);

// In texts from right to left, Galley isolates merge tags, and does so again when it draws the document.
const ISOLATED_TAG = /\u2068(\{\{[^{}]*\}\})\u2069/;
const ISOLATED_TAGS = new RegExp(ISOLATED_TAG, 'g');

const MAX_ELEMENTS = 10_000;
// The elements of MJML have some 40.
const MAX_ATTRIBUTES = 200;
// MJML needs no more than eight. Each element has the names of the elements around it in its place.
const MAX_NESTED_ELEMENTS = 30;

interface OpenElement {
  element: MjmlElement;
  /** How many children the element has so far, by tag name. */
  counts: Map<string, number>;
}

/**
 * Parses MJML. The parser accepts mistakes, such as a missing closing tag.
 *
 * @param isStripped whether the isolates around merge tags are removed already.
 * @throws NotImportable if the text has no `mjml` element, or too many elements.
 */
export function parseMjml(text: string, isStripped = false): MjmlElement {
  const open: OpenElement[] = [];
  let root: MjmlElement | undefined;
  let count = 0;
  // How many tags are open, including those of HTML.
  let depth = 0;
  // The depth of the element whose content is HTML, and where its content begins.
  let html: { depth: number; from: number } | undefined;
  const parser = new Parser(
    {
      onopentag(tagName, attributes) {
        requireDepth(++depth);
        const parent = open.at(-1);
        if (html !== undefined || (root !== undefined && parent === undefined)) return;
        if (++count > MAX_ELEMENTS) {
          throw new NotImportable('it has more than 10,000 elements.');
        }
        if (open.length >= MAX_NESTED_ELEMENTS) {
          throw new NotImportable(`its elements are nested more than ${MAX_NESTED_ELEMENTS} deep.`);
        }
        if (Object.keys(attributes).length > MAX_ATTRIBUTES) {
          throw new NotImportable(`an element has more than ${MAX_ATTRIBUTES} attributes.`);
        }
        if (WITH_HTML.has(tagName)) html = { depth, from: parser.endIndex + 1 };
        const source = sourceOf(parent, tagName);
        const element = { tagName, attributes, children: [], content: '', source };
        parent?.element.children.push(element);
        open.push({ element, counts: new Map() });
        root ??= element;
      },
      ontext(data) {
        const parent = open.at(-1);
        if (html === undefined && parent !== undefined) parent.element.content += data;
      },
      onclosetag() {
        if (html?.depth === depth) {
          const element = open.at(-1)?.element;
          // An element that closes itself, such as `<mj-image />`, ends before its content would begin.
          const content = text.slice(html.from, Math.max(html.from, parser.startIndex));
          if (element !== undefined) element.content = content.trim();
          html = undefined;
        }
        if (html === undefined) open.pop();
        depth--;
      },
    },
    { lowerCaseAttributeNames: false, recognizeCDATA: true, recognizeSelfClosing: true },
  );
  parser.end(text);
  if (root?.tagName !== 'mjml') throw new NotImportable('it does not begin with an mjml element.');
  const isIsolated = !isStripped && root.attributes['dir'] === 'rtl' && ISOLATED_TAG.test(text);
  return isIsolated ? parseMjml(text.replaceAll(ISOLATED_TAGS, '$1'), true) : root;
}

/** Names an element as XPath would, such as `mjml/mj-body[1]/mj-section[2]`. */
function sourceOf(parent: OpenElement | undefined, tagName: string): string {
  if (parent === undefined) return tagName;
  const { element, counts } = parent;
  const index = (counts.get(tagName) ?? 0) + 1;
  counts.set(tagName, index);
  return `${element.source}/${tagName}[${index}]`;
}
