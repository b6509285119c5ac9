import serialize from 'dom-serializer';
import { DomHandler, DomUtils, Parser, type parseDocument } from 'htmlparser2';
import { NotImportable } from '../not-importable.js';

export type HtmlDocument = ReturnType<typeof parseDocument>;
export type HtmlNode = HtmlDocument['children'][number];
export type HtmlElement = Extract<HtmlNode, { attribs: Record<string, string> }>;

// As many as a text block may have: see `rich-text.ts`.
const MAX_TAGS = 20_000;
const MAX_DEPTH = 500;

/**
 * For each closing tag that matches no open tag, a parser searches all open tags.
 *
 * @throws NotImportable if more tags are open than browsers draw.
 */
export function requireDepth(depth: number): void {
  if (depth > MAX_DEPTH) {
    throw new NotImportable(`its tags are nested more than ${MAX_DEPTH} deep.`);
  }
}

/** A DOM of limited size. Texts and attributes keep their entities. */
class LimitedHandler extends DomHandler {
  private count = 0;

  override onopentag(name: string, attributes: Record<string, string>): void {
    super.onopentag(name, attributes);
    requireDepth(this.tagStack.length);
    if (++this.count > MAX_TAGS) throw new NotImportable('it has HTML with more than 20,000 tags.');
  }
}

/** @throws NotImportable if the HTML has too many tags, or if they are nested too deeply. */
export function parseHtml(html: string): HtmlDocument {
  const handler = new LimitedHandler();
  new Parser(handler, { decodeEntities: false }).end(html);
  return handler.root;
}

/** All elements, in the order of the HTML. */
export const elementsIn = (node: HtmlDocument | HtmlElement): HtmlElement[] =>
  DomUtils.findAll(() => true, node.children);

/** The HTML inside a node. */
export const htmlInside = (node: HtmlDocument | HtmlElement): string =>
  serialize(node.children, { encodeEntities: false });

/** The text of a node, without tags. */
export const textInside = (node: HtmlDocument | HtmlElement): string =>
  DomUtils.textContent(node).replace(/\s+/g, ' ').trim();

/** Whether a node has anything that a reader sees. */
export const isEmpty = (document: HtmlDocument): boolean =>
  elementsIn(document).length === 0 && textInside(document) === '';
