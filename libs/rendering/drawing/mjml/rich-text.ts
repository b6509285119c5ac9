import sanitizeHtml from 'sanitize-html';
import { SAFE_CSS } from './css-value.js';
import {
  escapeMarkup,
  isSafeUrl,
  SCHEMES,
  Undrawable,
  type Direction,
} from '../../document/index.js';

const wordsOf = (...lines: string[]): string[] => lines.join(' ').split(' ');

const TEXT_TAGS = wordsOf(
  'a b strong i em u s del ins sub sup small code font span br p div blockquote bdi bdo',
  'h1 h2 h3 h4 h5 h6 ul ol li',
);
const HTML_TAGS = TEXT_TAGS.concat(
  wordsOf('img hr pre center table thead tbody tfoot tr td th caption'),
);
const CSS_PROPERTIES = wordsOf(
  'color background-color background font font-family font-size font-style font-weight',
  'line-height letter-spacing text-align text-decoration text-transform vertical-align',
  'white-space direction margin margin-top margin-bottom margin-left margin-right',
  'padding padding-top padding-bottom padding-left padding-right',
  'border border-top border-bottom border-left border-right border-radius border-collapse',
  'width max-width height display list-style list-style-type',
);

/** The styles of a block that its tags need. */
interface TextStyle {
  /** The colour of links without a colour of their own; by default, the mail client chooses. */
  linkColor?: string | undefined;
  /** By default, from left to right. */
  direction?: Direction | undefined;
}

// The library mistakes a URL that begins with a placeholder for a relative URL, so Galley also checks URLs itself.
function withSafeUrl(attributes: sanitizeHtml.Attributes, name: string): sanitizeHtml.Attributes {
  const { [name]: url = '', ...others } = attributes;
  return isSafeUrl(url) ? attributes : others;
}

const withStyle = (attributes: sanitizeHtml.Attributes, property: RegExp, style: string) =>
  property.test(attributes['style'] ?? '')
    ? attributes
    : { ...attributes, style: `${style};${attributes['style'] ?? ''}` };

const COLOR = /(?:^|;)\s*color\s*:/i;
const MARGIN = /(?:^|;)\s*margin/i;

/** Returns functions that change the tags of one text. */
function transformersOf(
  html: string,
  { linkColor, direction = 'ltr' }: TextStyle,
  isText: boolean,
): Record<string, sanitizeHtml.Transformer> {
  // The padding of the block is the margin of the first paragraph.
  let isFirst = /^\s*<p\b/i.test(html);
  const transformers: Record<string, sanitizeHtml.Transformer> = {
    a: (tagName, attributes) => {
      const attribs = withSafeUrl(attributes, 'href');
      const isColoured = linkColor === undefined || attribs['href'] === undefined;
      return {
        tagName,
        attribs: isColoured ? attribs : withStyle(attribs, COLOR, `color:${linkColor}`),
      };
    },
    img: (tagName, attributes) => ({ tagName, attribs: withSafeUrl(attributes, 'src') }),
  };
  if (!isText) return transformers;
  const side = direction === 'rtl' ? 'right' : 'left';
  transformers['blockquote'] = (tagName, attributes) => {
    const style = `margin:1em 0;padding-${side}:16px;border-${side}:4px solid #d5dae0`;
    return { tagName, attribs: withStyle(attributes, MARGIN, style) };
  };
  transformers['p'] = (tagName, attributes) => {
    const margin = isFirst ? 'margin:0' : 'margin:1em 0 0';
    isFirst = false;
    return { tagName, attribs: withStyle(attributes, MARGIN, margin) };
  };
  return transformers;
}

const optionsFor = (allowedTags: string[]): sanitizeHtml.IOptions => ({
  allowedTags,
  allowedAttributes: {
    '*': wordsOf('style dir lang align valign width height bgcolor title role'),
    a: wordsOf('href target rel name'),
    img: wordsOf('src alt border'),
    font: wordsOf('color face size'),
    table: wordsOf('border cellpadding cellspacing'),
    td: wordsOf('colspan rowspan'),
    th: wordsOf('colspan rowspan scope'),
    ol: wordsOf('start type'),
  },
  allowedStyles: { '*': Object.fromEntries(CSS_PROPERTIES.map((name) => [name, [SAFE_CSS]])) },
  allowedSchemes: SCHEMES,
});
const TEXT_OPTIONS = optionsFor(TEXT_TAGS);
const HTML_OPTIONS = optionsFor(HTML_TAGS);

const MAX_TAGS = 20_000;
// Browsers draw at most 512 levels of nested tags. For each closing tag that matches no open tag, the parser searches
// all open tags. With 10,000 open tags, a text would take a tenth of a second.
const MAX_DEPTH = 500;

function sanitize(html: string, options: sanitizeHtml.IOptions, style: TextStyle): string {
  // A call to the library takes about 5 µs, which would be too long for a document with 200,000 texts of one letter.
  if (!/[<&]/.test(html)) return escapeMarkup(html);
  if (html.split('<', MAX_TAGS + 2).length > MAX_TAGS + 1) {
    throw new Undrawable('it has a text with more than 20,000 tags.');
  }
  let depth = 0;
  return sanitizeHtml(html, {
    ...options,
    transformTags: transformersOf(html, style, options === TEXT_OPTIONS),
    onOpenTag: () => {
      if (++depth > MAX_DEPTH) {
        throw new Undrawable('it has a text with tags nested more than 500 deep.');
      }
    },
    onCloseTag: () => depth--,
  });
}

/**
 * Sanitises the text of a block: only formatting and links are kept. Paragraphs and quotes without a margin get one.
 *
 * @throws Undrawable if there are too many tags, or if they are nested too deeply.
 */
export const richText = (html: string, style: TextStyle = {}): string =>
  sanitize(html, TEXT_OPTIONS, style);

/**
 * Sanitises the HTML of an `html` block. Images and tables are kept too, but scripts, forms and style sheets are
 * removed.
 */
export const safeHtml = (html: string, style: TextStyle = {}): string =>
  sanitize(html, HTML_OPTIONS, style);
