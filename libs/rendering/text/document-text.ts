import { compile } from 'html-to-text';
import { safeHtml } from '../mjml/rich-text.js';
import { asText, isObject, textIn, type DocumentNode } from '../mjml/drawing.js';

// RFC 5322, section 2.1.1: lines should have at most 78 characters.
const LINE_LENGTH = 78;
// Deeper tags are left out: the library walks through them recursively.
const MAX_DEPTH = 100;
// Of the entries of a list; as long as the number of an entry and a dot.
const INDENT = '   ';
const RULE = '-'.repeat(LINE_LENGTH);

/**
 * The document as plain text, for mail clients that show no HTML. Made from the document and not from the HTML,
 * where headings, lists and buttons are tables.
 */
export function documentText(document: DocumentNode): string {
  const parts = objectsIn(document['stripes'])
    .flatMap(({ containers }) => objectsIn(containers))
    .flatMap(({ blocks }) => objectsIn(blocks))
    .map(blockText)
    .filter((part) => part !== '');
  return `${parts.join('\n\n')}\n`;
}

type BlockText = (props: DocumentNode, block: DocumentNode) => string;

const blockTexts: Record<string, BlockText> = {
  text: ({ content }) => plain(content),
  html: ({ content }) => plain(content),
  raw: ({ content }) => plain(content),
  heading: headingText,
  list: listText,
  button: ({ content, href }) => linkText(plain(content), href),
  image: ({ alt, href }) => linkText(textOf(alt), href),
  video: ({ alt, src }) => linkText(textOf(alt), src),
  divider: () => RULE,
  table: tableText,
  social: ({ elements }) =>
    linesOf(elements, ({ content, name }) => plain(content) || textOf(name)),
  menu: ({ links }) => linesOf(links, ({ content }) => textOf(content)),
  navbar: ({ links }) => linesOf(links, ({ content }) => textOf(content)),
  column: (_props, { blocks }) => objectsIn(blocks).map(blockText).filter(Boolean).join('\n\n'),
};

function blockText(block: DocumentNode): string {
  const type = textIn(block, 'type') ?? '';
  const textOfBlock = Object.hasOwn(blockTexts, type) ? blockTexts[type] : undefined;
  return textOfBlock?.(isObject(block['props']) ? block['props'] : {}, block) ?? '';
}

const objectsIn = (value: unknown): DocumentNode[] =>
  Array.isArray(value) ? value.filter(isObject) : [];

const textOf = (value: unknown): string => (asText(value) ?? '').trim();

/** Makes a function that turns formatted text into plain text. Links have their addresses in brackets. */
function converter(wordwrap: number): (html: unknown) => string {
  const convert = compile({
    wordwrap,
    limits: { maxDepth: MAX_DEPTH, ellipsis: '' },
    selectors: [
      { selector: 'a', format: 'anchor', options: { hideLinkHrefIfSameAsText: true } },
      { selector: 'img', format: 'skip' },
    ],
  });
  return (html) => convert(safeHtml(textOf(html))).trim();
}

const plain = converter(LINE_LENGTH);
const plainInList = converter(LINE_LENGTH - INDENT.length);

function headingText({ content, level }: DocumentNode): string {
  const lines = plain(content);
  const [firstLine = ''] = lines.split('\n', 1);
  const length = Math.min(firstLine.length, LINE_LENGTH);
  return lines === '' ? '' : `${lines}\n${(level === 1 ? '=' : '-').repeat(length)}`;
}

function listText({ items, ordered }: DocumentNode): string {
  const entries = Array.isArray(items) ? items : [];
  return entries
    .map((item: unknown, index) => {
      const bullet = (ordered === true ? `${index + 1}.` : '-').padEnd(INDENT.length);
      return bullet + plainInList(item).replaceAll('\n', `\n${INDENT}`);
    })
    .join('\n');
}

function tableText({ header, rows }: DocumentNode): string {
  const all = [header, ...(Array.isArray(rows) ? (rows as unknown[]) : [])].filter((row) =>
    Array.isArray(row),
  );
  return all.map((cells: unknown[]) => cells.map((cell) => plain(cell)).join(' | ')).join('\n');
}

/** Each link on a line of its own. */
const linesOf = (links: unknown, label: (link: DocumentNode) => string): string =>
  objectsIn(links)
    .map((link) => linkText(label(link), link['href']))
    .filter((line) => line !== '')
    .join('\n');

/** An address stays on one line, so that mail clients find it. */
function linkText(label: string, href: unknown): string {
  const url = textOf(href);
  return label === '' || url === '' || url === '#' ? label : `${label}: ${url}`;
}
