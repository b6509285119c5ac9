import { DomUtils } from 'htmlparser2';
import { decodeHTML } from 'entities';
import type { FontList } from '../html/font-list.js';
import type { ForeignStyles } from '../html/foreign-styles.js';
import { elementsIn, parseHtml } from '../html/parse-html.js';
import type { Report } from '../report.js';
import { childrenNamed, type MjmlElement } from './mjml-element.js';

type Attributes = Record<string, string>;

/** The attributes that the head sets for elements of the body, and the texts of the head. */
export interface Head {
  title?: string;
  preheader?: string;
  /** For all elements. */
  all: Attributes;
  byTagName: Map<string, Attributes>;
  byClass: Map<string, Attributes>;
  /** For the elements inside an element with a class, by class and tag name. */
  insideClass: Map<string, Map<string, Attributes>>;
}

/** What a content loads and styles apart from its elements. */
export interface Sheets {
  report: Report;
  styles: ForeignStyles;
  fonts: FontList;
}

const BREAKPOINT = '480px';

export function readHead(mjml: MjmlElement, sheets: Sheets): Head {
  const head: Head = {
    all: {},
    byTagName: new Map(),
    byClass: new Map(),
    insideClass: new Map(),
  };
  for (const part of childrenNamed(mjml, 'mj-head').flatMap(({ children }) => children)) {
    readPart(head, part, sheets);
  }
  return head;
}

function readPart(head: Head, part: MjmlElement, { report, styles, fonts }: Sheets): void {
  const { tagName, attributes, content, source } = part;
  switch (tagName) {
    case 'mj-title':
      head.title = decodeHTML(content);
      break;
    case 'mj-preview':
      head.preheader = decodeHTML(content);
      break;
    case 'mj-attributes':
      for (const child of part.children) readAttributes(head, child);
      break;
    case 'mj-font':
      fonts.add({ name: attributes['name'] ?? '', url: attributes['href'] ?? '' }, source);
      break;
    case 'mj-style':
      styles.add(content, source);
      break;
    case 'mj-raw':
      readRaw(content, source, { report, styles, fonts });
      break;
    case 'mj-breakpoint':
      if (attributes['width'] === BREAKPOINT) break;
      report.add(
        'approximated',
        source,
        'Columns are stacked in windows narrower than 480 pixels.',
      );
      break;
    default:
      report.add('lost', source, `Galley has no ${tagName}.`);
  }
}

function readAttributes(head: Head, { tagName, attributes, children }: MjmlElement): void {
  const { name = '', ...others } = attributes;
  if (tagName === 'mj-all') Object.assign(head.all, attributes);
  else if (tagName === 'mj-class') {
    head.byClass.set(name, { ...head.byClass.get(name), ...others });
    const inside = new Map(children.map((child) => [child.tagName, child.attributes]));
    head.insideClass.set(name, inside);
  } else head.byTagName.set(tagName, { ...head.byTagName.get(tagName), ...attributes });
}

/** Reads the style sheets and fonts in HTML of the head. Conditional comments around them are for Outlook. */
function readRaw(content: string, source: string, { report, styles, fonts }: Sheets): void {
  for (const element of elementsIn(parseHtml(content))) {
    const { name, attribs } = element;
    if (name === 'style') styles.add(DomUtils.textContent(element), source);
    else if (name === 'link' && attribs['rel'] === 'stylesheet') {
      fonts.addStyleSheet(attribs['href'] ?? '', source);
    } else if (name !== 'meta') report.add('lost', source, `<${name}> in the head is lost.`);
  }
}
