import { CSS_PROPERTIES, HTML_TAGS, TEXT_TAGS } from '../../drawing/index.js';
import { declarationsIn, declares, valueOf } from './declarations.js';
import { elementsIn, htmlInside, parseHtml, type HtmlElement } from './parse-html.js';

/** The HTML of a block, and what Galley keeps of it. */
export interface RichContent {
  html: string;
  /** The tags that a text block cannot have, but an `html` block can. */
  htmlTags: string[];
  /** The tags and CSS properties that Galley removes. */
  removed: string[];
  /** The colour of links that have none, or else the one colour that all links have. */
  linkColour?: string | undefined;
}

// The margin of paragraphs in the style sheet of MJML.
const MJML_MARGIN = 'margin:13px 0';
/** The colour that browsers give to links without a colour. */
const BROWSER_LINK = '#0000ee';

function colourOf(colours: ReadonlySet<string>): string | undefined {
  const [first] = colours;
  return colours.size === 1 ? first : colours.has(BROWSER_LINK) ? BROWSER_LINK : undefined;
}

/** The styles that Galley writes before those of a paragraph: see `rich-text.ts`. */
const FIRST_MARGIN = 'margin:0';
const QUOTE = /^margin:1em 0;padding-(?:left|right):16px;border-(?:left|right):4px solid #d5dae0;?/;
// They change nothing in the clients that draw them otherwise, or only repair mistakes of old clients.
const WITHOUT_EFFECT = /^(?:-|mso-|text-size-adjust|word-|overflow-wrap|box-sizing)/;

/**
 * Reads the HTML of a text. Text blocks remove the margins that MJML gives to paragraphs, so paragraphs without a margin
 * get the one of MJML.
 *
 * @param fontSize the size of the text, such as `16px`.
 */
export function readRichContent(html: string, fontSize = ''): RichContent {
  if (!html.includes('<')) return { html, htmlTags: [], removed: [] };
  const document = parseHtml(html);
  const elements = elementsIn(document);
  const htmlTags = new Set<string>();
  const removed = new Set<string>();
  const linkColours = new Set<string>();
  for (const { name, attribs } of elements) {
    const { style, href } = attribs;
    if (name === 'blockquote' && !QUOTE.test(style ?? '')) htmlTags.add(name);
    else if (!TEXT_TAGS.includes(name)) {
      if (HTML_TAGS.includes(name)) htmlTags.add(name);
      else removed.add(`<${name}>`);
    }
    for (const [property] of declarationsIn(style)) {
      if (!WITHOUT_EFFECT.test(property) && !CSS_PROPERTIES.includes(property)) {
        removed.add(property);
      }
    }
    if (name === 'a' && href !== undefined)
      linkColours.add(valueOf(style, 'color') ?? BROWSER_LINK);
  }
  const isText = htmlTags.size === 0;
  const isChanged = isText && setMargins(elements, fontSize);
  return {
    html: isChanged ? htmlInside(document) : html,
    htmlTags: [...htmlTags],
    removed: [...removed],
    linkColour: colourOf(linkColours),
  };
}

/**
 * Gives paragraphs the margins that they have in MJML, and removes the margins that text blocks add again. Returns
 * whether an element has changed.
 */
function setMargins(elements: readonly HtmlElement[], fontSize: string): boolean {
  const size = /^([\d.]+)px$/.exec(fontSize)?.[1];
  const gap = size === undefined ? '1em' : `${Math.min(Number(size), 16)}px`;
  let isChanged = false;
  let isFirst = elements[0]?.name === 'p' && elements[0].prev === null;
  for (const element of elements) {
    const { name, attribs } = element;
    const style = attribs['style'] ?? '';
    let changed = style;
    if (name === 'p') {
      const added = isFirst ? FIRST_MARGIN : `margin:${gap} 0 0`;
      isFirst = false;
      if (style === added || style.startsWith(`${added};`)) changed = style.slice(added.length + 1);
      else if (!declares(style, 'margin')) {
        changed = [MJML_MARGIN, style].filter(Boolean).join(';');
      }
    } else if (name === 'blockquote') changed = style.replace(QUOTE, '');
    if (changed === style) continue;
    isChanged = true;
    if (changed === '') delete attribs['style'];
    else attribs['style'] = changed;
  }
  return isChanged;
}
