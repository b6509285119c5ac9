import { compile } from 'html-to-text';
import { safeHtml } from './mjml/rich-text.js';
import {
  asText,
  isBaseUrl,
  isObject,
  isSafeUrl,
  textIn,
  type DocumentNode,
} from '../document/index.js';
import { isNetwork, networks } from '../icons/index.js';
import { RULE, UNDERLINE } from '../personalisation/index.js';

// `html-to-text` walks through tags recursively, so more deeply nested tags are left out.
const MAX_DEPTH = 100;
// The indent of list items. Its width is that of a digit, a dot and a space.
const INDENT = '   ';
// The characters that `html-to-text` treats as whitespace.
const WHITESPACE = /[ \t\r\n\f\u200b]+/g;
const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'];

/** Puts marks around the text of a node that has a condition or a repetition. */
export type MarkText = (node: DocumentNode, text: string) => string;

/**
 * Renders a document as plain text, for mail clients that do not show HTML. The text is rendered from the document,
 * because the HTML that MJML generates consists of nested tables. `layoutText` breaks the lines later.
 */
export const documentText = ({ stripes }: DocumentNode, mark: MarkText): string =>
  textsOf(stripes, mark, (stripe) => {
    if (stripe['type'] === 'wrapper') return documentText(stripe, mark);
    if (stripe['type'] === 'hero') return blocksText(stripe, mark);
    const { structures } = stripe;
    if (structures === undefined) return rowText(stripe, mark);
    return textsOf(structures, mark, (structure) => rowText(structure, mark));
  });

const rowText = ({ containers }: DocumentNode, mark: MarkText): string =>
  textsOf(containers, mark, (container) => blocksText(container, mark));

const textsOf = (
  nodes: unknown,
  mark: MarkText,
  textOfNode: (node: DocumentNode) => string,
): string =>
  objectsIn(nodes)
    // Nodes that are shown only on phones often repeat nodes that are shown only in wide windows.
    .filter(({ visibility }) => visibility !== 'mobile')
    .map((node) => mark(node, textOfNode(node)))
    .join('');

type BlockText = (props: DocumentNode, mark: MarkText) => string;

const networkTitle = (name: string): string => (isNetwork(name) ? networks[name].title : name);

const blockTexts: Record<string, BlockText> = {
  text: ({ content }) => plain(content),
  html: ({ content }) => plain(content),
  raw: ({ content }) => plain(content),
  heading: headingText,
  list: listText,
  button: ({ content, href }) => linkText(plain(content), href),
  image: ({ alt, href }) => linkText(textOf(alt), href),
  countdown: ({ alt, href }) => linkText(textOf(alt), href),
  video: ({ alt, src }) => linkText(textOf(alt), src),
  divider: () => RULE,
  table: tableText,
  accordion: accordionText,
  social: ({ elements }, mark) =>
    linesOf(
      elements,
      mark,
      ({ content, alt, name }) => plain(content) || textOf(alt) || networkTitle(textOf(name)),
    ),
  menu: menuText,
  navbar: menuText,
};

/** Returns the text of all blocks, with an empty line after each block. */
const blocksText = ({ blocks }: DocumentNode, mark: MarkText): string =>
  textsOf(blocks, mark, (block) => {
    if (block['type'] === 'column') return blocksText(block, mark);
    const type = textIn(block, 'type') ?? '';
    const textOfBlock = Object.hasOwn(blockTexts, type) ? blockTexts[type] : undefined;
    const text = textOfBlock?.(isObject(block['props']) ? block['props'] : {}, mark) ?? '';
    return text === '' ? '' : `${text.trimEnd()}\n\n`;
  });

const objectsIn = (value: unknown): DocumentNode[] =>
  Array.isArray(value) ? value.filter(isObject) : [];

const textOf = (value: unknown): string => (asText(value) ?? '').trim();

const convert = compile({
  wordwrap: false,
  limits: { maxDepth: MAX_DEPTH, ellipsis: '' },
  selectors: [
    { selector: 'a', format: 'anchor', options: { hideLinkHrefIfSameAsText: true } },
    { selector: 'img', format: 'skip' },
    // Converting headings to capitals would change placeholders.
    ...HEADINGS.map((selector) => ({ selector, options: { uppercase: false } })),
  ],
});

/** Converts formatted text to plain text. The URL of a link appears in brackets after the link text. */
function plain(html: unknown): string {
  const text = textOf(html);
  // A call to the library takes about 10 µs, which would be too long for a document with 200,000 texts of one letter.
  if (!/[<&]/.test(text)) return text.replace(WHITESPACE, ' ').trim();
  return convert(safeHtml(text)).trim();
}

function headingText({ content, level }: DocumentNode): string {
  const lines = plain(content);
  return lines === '' ? '' : `${lines}\n${UNDERLINE}${level === 1 ? '=' : '-'}`;
}

function listText({ items, ordered }: DocumentNode, mark: MarkText): string {
  // If an item has a condition or a repetition, the numbers of the items would depend on the data, so the list has no
  // numbers.
  const isNumbered = ordered === true && !(Array.isArray(items) && items.some(isObject));
  return elementsText(items, 'content', mark, (item, index) => {
    const bullet = (isNumbered ? `${index + 1}.` : '-').padEnd(INDENT.length);
    return bullet + plain(item).replaceAll('\n', `\n${INDENT}`);
  });
}

function tableText({ header, rows }: DocumentNode, mark: MarkText): string {
  const lineOf = (cells: unknown): string =>
    (Array.isArray(cells) ? cells : []).map((cell) => plain(cell)).join(' | ');
  const head = Array.isArray(header) ? `${lineOf(header)}\n` : '';
  return head + elementsText(rows, 'cells', mark, lineOf);
}

function accordionText({ elements }: DocumentNode, mark: MarkText): string {
  return objectsIn(elements)
    .map((element) => {
      const texts = [plain(element['title']), plain(element['content'])];
      return mark(element, `${texts.filter((text) => text !== '').join('\n')}\n\n`);
    })
    .join('');
}

/**
 * Starts a new line for each element of a list. An element is either the value itself, or an object that contains the
 * value in `member`.
 */
function elementsText(
  elements: unknown,
  member: string,
  mark: MarkText,
  textOfValue: (value: unknown, index: number) => string,
): string {
  return (Array.isArray(elements) ? elements : [])
    .map((each: unknown, index) =>
      isObject(each)
        ? mark(each, `${textOfValue(each[member], index)}\n`)
        : `${textOfValue(each, index)}\n`,
    )
    .join('');
}

/** Starts a new line for each link. */
const linesOf = (
  links: unknown,
  mark: MarkText,
  label: (link: DocumentNode) => string,
  base = '',
): string =>
  objectsIn(links)
    .map((link) => {
      const href = textOf(link['href']);
      const line = linkText(label(link), href && base + href);
      return line === '' ? '' : mark(link, `${line}\n`);
    })
    .join('');

function menuText({ links, 'base-url': base }: DocumentNode, mark: MarkText): string {
  return linesOf(links, mark, ({ content }) => textOf(content), isBaseUrl(base) ? base : '');
}

/** Puts the URL of a link after the label, as in `Shop: https://example.com/`. Unsafe URLs are left out. */
function linkText(label: string, href: unknown): string {
  const address = textOf(href);
  const url = isSafeUrl(address) ? address : '';
  return label === '' || url === '' || url === '#' ? label : `${label}: ${url}`;
}
