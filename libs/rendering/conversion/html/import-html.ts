import { DomUtils, ElementType } from 'htmlparser2';
import { decodeHTML } from 'entities';
import { isDrawable } from '../../drawing/index.js';
import { DEFAULT_WIDTH, CONTENT_WIDTHS, type DocumentNode } from '../../document/index.js';
import { NotImportable } from '../not-importable.js';
import type { Report } from '../report.js';
import { declares, valueOf } from './declarations.js';
import { FontList } from './font-list.js';
import { ForeignStyles } from './foreign-styles.js';
import { hexColour } from './hex-colour.js';
import {
  elementsIn,
  htmlInside,
  parseHtml,
  textInside,
  type HtmlDocument,
  type HtmlElement,
} from './parse-html.js';
import { readRichContent } from './rich-content.js';

// Their contents are no text, or Galley has read them already.
const WITHOUT_TEXT = ['head', 'link', 'meta', 'script', 'style', 'template', 'title'];
// The values of browsers where an email sets nothing. `normal` is 1.15 in Arial.
const BROWSER = { fontSize: 16, lineHeight: 1.15, textColor: '#000000' };
const BROWSER_MARGIN = 'margin:1em 0';
const PATH = '/stripes/0/containers/0/blocks/0';

/**
 * Keeps HTML as one block. Its style sheets become styles of its elements, because Galley removes style sheets.
 *
 * @throws NotImportable if the content has no HTML, or too much.
 */
export function importHtml(report: Report, content: string): DocumentNode {
  const written = parseHtml(content);
  const fonts = new FontList(report);
  const styles = new ForeignStyles(report, fonts);
  readHead(written, styles, fonts);
  const document = parseHtml(styles.inline(content));
  const body = elementsIn(document).find(({ name }) => name === 'body');
  const root = body ?? document;
  if (elementsIn(root).length === 0) throw new NotImportable('it has no HTML elements.');
  const preheader = takePreheader(root);
  reportComments(report, root);
  for (const element of elementsIn(root)) {
    if (element.name === 'script') report.add('lost', 'script', 'Galley removes scripts.');
    if (WITHOUT_TEXT.includes(element.name)) DomUtils.removeElement(element);
    else if (element.name === 'p' && !declares(element.attribs['style'], 'margin')) {
      element.attribs['style'] = [BROWSER_MARGIN, element.attribs['style']]
        .filter(Boolean)
        .join(';');
    }
  }
  const html = htmlInside(root).trim();
  const { removed, linkColour } = readRichContent(html);
  report.add(
    'kept-as-html',
    'body',
    'The email is one block of HTML, without blocks to edit.',
    PATH,
  );
  if (removed.length > 0) {
    report.add('lost', 'body', `Galley removes ${removed.join(', ')} from HTML.`, PATH);
  }
  for (const type of ['stripe', 'container', 'html']) report.count(type);
  const title = titleOf(written);
  const width = widthOf(root);
  return {
    ...languageOf(written),
    ...(title !== '' && { title }),
    ...(preheader !== '' && { preheader }),
    styles: {
      ...(width !== DEFAULT_WIDTH && { contentWidth: width }),
      ...stylesOf(body),
      ...(linkColour !== undefined && { linkColor: linkColour }),
    },
    ...(fonts.fonts.length > 0 && { fonts: fonts.fonts }),
    stripes: [
      {
        type: 'stripe',
        styles: { padding: '0' },
        containers: [
          { type: 'container', blocks: [{ type: 'html', props: { padding: '0', content: html } }] },
        ],
      },
    ],
  };
}

function readHead(document: HtmlDocument, styles: ForeignStyles, fonts: FontList): void {
  let count = 0;
  for (const element of elementsIn(document)) {
    const { name, attribs } = element;
    if (name === 'style') styles.add(DomUtils.textContent(element), `style[${++count}]`);
    else if (name === 'link' && attribs['rel'] === 'stylesheet') {
      fonts.addStyleSheet(attribs['href'] ?? '', 'link');
    }
  }
}

/** Removes the hidden text that mail clients show beside the subject, and returns it. */
function takePreheader(root: HtmlDocument | HtmlElement): string {
  const element = elementsIn(root).find(({ attribs }) => /preheader/i.test(attribs['class'] ?? ''));
  if (element === undefined || valueOf(element.attribs['style'], 'display') !== 'none') return '';
  DomUtils.removeElement(element);
  return decodeHTML(textInside(element));
}

function reportComments(report: Report, root: HtmlDocument | HtmlElement): void {
  const comments = DomUtils.find(
    (node) => node.type === ElementType.Comment && node.data.includes('[if'),
    root.children,
    true,
    1,
  );
  if (comments.length > 0) {
    report.add('lost', 'body', 'Conditional comments, which only Outlook reads, are lost.', PATH);
  }
}

function titleOf(document: HtmlDocument): string {
  const title = elementsIn(document).find(({ name }) => name === 'title');
  return title === undefined ? '' : decodeHTML(textInside(title));
}

function languageOf(document: HtmlDocument): { language?: string } {
  const language = elementsIn(document).find(({ name }) => name === 'html')?.attribs['lang'];
  return language === undefined || language === '' ? {} : { language };
}

/** The width of the widest element with a width in pixels, or the usual width of an email. */
function widthOf(root: HtmlDocument | HtmlElement): number {
  const widths = elementsIn(root).flatMap(({ name, attribs }) => {
    if (name !== 'table' && name !== 'div') return [];
    const { width = '' } = attribs;
    const ofStyle = /^(\d+)px$/.exec(valueOf(attribs['style'], 'width') ?? '')?.[1];
    return [Number(ofStyle), Number(/^\d+$/.exec(width)?.[0])];
  });
  const drawable = widths.filter((width) => width >= DEFAULT_WIDTH && width <= CONTENT_WIDTHS[1]);
  return drawable.reduce((widest, width) => Math.max(widest, width), DEFAULT_WIDTH);
}

function stylesOf(body: HtmlElement | undefined): Record<string, string | number> {
  const { style, bgcolor = '' } = body?.attribs ?? {};
  const valueIn = (name: string) => {
    const value = valueOf(style, name) ?? '';
    return isDrawable('mj-text', name, value) ? value : undefined;
  };
  const background = valueOf(style, 'background-color') ?? valueOf(style, 'background') ?? bgcolor;
  const hex = hexColour(background);
  const family = valueIn('font-family');
  const size = Number(/^([\d.]+)px$/.exec(valueIn('font-size') ?? '')?.[1]);
  const height = Number(valueIn('line-height'));
  return {
    ...BROWSER,
    ...(hex !== undefined && { backgroundColor: hex }),
    ...(family !== undefined && { fontFamily: family }),
    ...(size > 0 && { fontSize: size }),
    ...(height > 0 && { lineHeight: height }),
    ...(valueIn('color') !== undefined && { textColor: valueIn('color') ?? '' }),
  };
}
