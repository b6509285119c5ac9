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

/** The tags that a text may have. */
export const TEXT_TAGS = wordsOf(
  'a b strong i em u s del ins sub sup small code font span br p div blockquote bdi bdo',
  'h1 h2 h3 h4 h5 h6 ul ol li',
);
/** The tags that the HTML of an `html` block may have. */
export const HTML_TAGS = TEXT_TAGS.concat(
  wordsOf('img hr pre center table thead tbody tfoot tr td th caption'),
);
/** The CSS properties that the tags of a text may have. */
export const CSS_PROPERTIES = wordsOf(
  'color background-color background font font-family font-size font-style font-weight',
  'line-height letter-spacing text-align text-decoration text-transform vertical-align',
  'white-space direction margin margin-top margin-bottom margin-left margin-right',
  'padding padding-top padding-bottom padding-left padding-right',
  'border border-top border-bottom border-left border-right border-radius border-collapse',
  'border-color border-top-color border-bottom-color border-left-color border-right-color',
  'width max-width height display list-style list-style-type',
  // Emails use these names, because an earlier Outlook.com removed `margin`.
  'Margin Margin-top Margin-bottom Margin-left Margin-right',
);

/** The styles of a block that its tags need. */
export interface TextStyle {
  /** The colour of links without a colour of their own; by default, the mail client chooses. */
  linkColor?: string | undefined;
  /** The size of the text, such as `16px`. */
  fontSize?: string | undefined;
  /** By default, from left to right. */
  direction?: Direction | undefined;
}

const withSafeUrl =
  (name: string): sanitizeHtml.Transformer =>
  (tagName, attributes) => {
    const { [name]: url = '', ...others } = attributes;
    return { tagName, attribs: isSafeUrl(url) ? attributes : others };
  };

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
  // The library mistakes a URL that begins with a placeholder for a relative URL, so Galley also checks URLs itself.
  transformTags: { a: withSafeUrl('href'), img: withSafeUrl('src') },
});
const TEXT_OPTIONS = optionsFor(TEXT_TAGS);
const HTML_OPTIONS = optionsFor(HTML_TAGS);

const MAX_TAGS = 20_000;
// Browsers draw at most 512 levels of nested tags. For each closing tag that matches no open tag, the parser searches
// all open tags. With 10,000 open tags, a text would take a tenth of a second.
const MAX_DEPTH = 500;

// A check sanitises the texts that the drawing has just sanitised, which is a fifth of its time. Texts with merge tags
// differ, because the drawing has placeholders instead of merge tags.
const sanitised = new Map<string, string>();
let sanitisedCharacters = 0;
const MAX_SANITISED_CHARACTERS = 1_000_000;

function sanitize(html: string, options: sanitizeHtml.IOptions): string {
  // A call to the library takes about 5 µs, which would be too long for a document with 200,000 texts of one letter.
  if (!/[<&]/.test(html)) return escapeMarkup(html);
  const key = (options === TEXT_OPTIONS ? 'text ' : 'html ') + html;
  const known = sanitised.get(key);
  if (known !== undefined) return known;
  const result = sanitizeWithLibrary(html, options);
  sanitisedCharacters += key.length + result.length;
  if (sanitisedCharacters > MAX_SANITISED_CHARACTERS) {
    sanitised.clear();
    sanitisedCharacters = key.length + result.length;
  }
  sanitised.set(key, result);
  return result;
}

function sanitizeWithLibrary(html: string, options: sanitizeHtml.IOptions): string {
  if (html.split('<', MAX_TAGS + 2).length > MAX_TAGS + 1) {
    throw new Undrawable('it has a text with more than 20,000 tags.');
  }
  let depth = 0;
  return sanitizeHtml(html, {
    ...options,
    onOpenTag: () => {
      if (++depth > MAX_DEPTH) {
        throw new Undrawable('it has a text with tags nested more than 500 deep.');
      }
    },
    onCloseTag: () => depth--,
  });
}

// In sanitised HTML, the values of attributes have no `>`.
const STYLED_TAG = /<(a|p|blockquote)\b([^>]*)>/g;

/**
 * Adds the styles of a block to tags that do not set these styles. The styles are added to sanitised HTML, because the
 * library takes several times as long for a tag with a style.
 */
function withStyles(
  html: string,
  { linkColor, fontSize = '', direction }: TextStyle,
  hasMargins: boolean,
): string {
  if (!html.includes('<')) return html;
  const side = direction === 'rtl' ? 'right' : 'left';
  // In a paragraph of large text, 1em would tear the paragraphs apart.
  const size = /^([\d.]+)px$/.exec(fontSize)?.[1];
  const gap = size === undefined ? '1em' : `${Math.min(Number(size), MAX_GAP)}px`;
  // The padding of the block is the margin of the first paragraph.
  let isFirst = /^\s*<p\b/.test(html);
  return html.replace(STYLED_TAG, (tag: string, name: string, attributes: string) => {
    if (name === 'a') {
      const isPlain = linkColor === undefined || !/ href="/.test(attributes);
      return isPlain || SETS_COLOR.test(attributes) ? tag : addStyle(tag, `color:${linkColor}`);
    }
    if (!hasMargins) return tag;
    if (name === 'blockquote') {
      return addStyle(tag, `margin:1em 0;padding-${side}:16px;border-${side}:4px solid #d5dae0`);
    }
    const margin = isFirst ? 'margin:0' : `margin:${gap} 0 0`;
    isFirst = false;
    return addStyle(tag, margin);
  });
}

/** The largest space between paragraphs, in pixels. */
const MAX_GAP = 16;
const SETS_COLOR = / style="(?:[^"]*;)?color:/;

/** Inserts declarations before the tag's own declarations, so that the tag's own win. */
const addStyle = (tag: string, style: string): string =>
  tag.includes(' style="')
    ? tag.replace(' style="', () => ` style="${style};`)
    : `${tag.slice(0, -1)} style="${style}">`;

/**
 * Sanitises the text of a block: only formatting and links are kept. Paragraphs and quotes without a margin get one.
 *
 * @throws Undrawable if there are too many tags, or if they are nested too deeply.
 */
export const richText = (html: string, style: TextStyle = {}): string =>
  withStyles(sanitize(html, TEXT_OPTIONS), style, true);

/**
 * Sanitises the HTML of an `html` block. Images and tables are kept too, but scripts, forms and style sheets are
 * removed.
 */
export const safeHtml = (html: string, style: TextStyle = {}): string =>
  withStyles(sanitize(html, HTML_OPTIONS), style, false);
