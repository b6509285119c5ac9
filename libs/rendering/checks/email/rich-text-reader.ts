import { styledWith, type TextStyle } from './text-style.js';

/** A piece of text in a single style. */
export interface Run {
  text: string;
  style: TextStyle;
  isInLink: boolean;
}

export interface TextLink {
  href: string | undefined;
  /** The text of the link, including the alternative texts of images. */
  label: string;
}

export interface TextPicture {
  attributes: Readonly<Record<string, string>>;
  isInLink: boolean;
}

/** The parts of formatted text that the rules inspect. */
export interface RichText {
  text: string;
  paragraphs: string[];
  runs: Run[];
  links: TextLink[];
  pictures: TextPicture[];
  headings: { level: number; text: string }[];
  tags: Set<string>;
  /** All properties in `style` attributes, with their values. */
  declarations: [property: string, value: string][];
}

interface OpenElement {
  tag: string;
  style: TextStyle;
}

// In sanitised HTML, attribute values are quoted, and every `<` that does not begin a tag is escaped.
const TOKEN = /<(\/?)([a-z][a-z0-9]*)((?:\s+[^\s"=<>/]+(?:="[^"]*")?)*)\s*\/?>|([^<]+)/g;
const ATTRIBUTE = /([^\s"=<>/]+)(?:="([^"]*)")?/g;
const ENTITIES: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};
const BLOCK_TAG = /^(?:p|div|h[1-6]|ul|ol|li|blockquote|table|tr|td|th|br|hr|pre|center|caption)$/;
const HEADING_TAG = /^h[1-6]$/;
const EMPTY_TAG = /^(?:br|hr|img)$/;

const decode = (text: string): string =>
  text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? '');
export const collapse = (text: string): string => text.replace(/[\s\u00a0]+/g, ' ').trim();

/** Parses HTML that `richText` or `safeHtml` has sanitised. */
export function readRichText(html: string, style: TextStyle): RichText {
  const reader = new Reader(style);
  for (const [, slash, tag, attributes = '', text] of html.matchAll(TOKEN)) {
    if (text !== undefined) reader.write(decode(text));
    else if (tag !== undefined && slash === '/') reader.close(tag);
    else if (tag !== undefined) reader.open(tag, attributesIn(attributes));
  }
  return reader.end();
}

function attributesIn(text: string): Record<string, string> {
  const attributes: Record<string, string> = {};
  for (const [, name = '', value = ''] of text.matchAll(ATTRIBUTE)) {
    attributes[name] = decode(value);
  }
  return attributes;
}

class Reader {
  private readonly result: RichText = {
    text: '',
    paragraphs: [],
    runs: [],
    links: [],
    pictures: [],
    headings: [],
    tags: new Set(),
    declarations: [],
  };
  private readonly openElements: OpenElement[] = [];
  private paragraph = '';
  // A link inside a link, or a heading inside a heading, is part of the outer one.
  private link: {
    href: string | undefined;
    isTarget: boolean;
    label: string;
    depth: number;
  } | null = null;
  private heading: { level: number; text: string; depth: number } | null = null;

  constructor(private readonly style: TextStyle) {}

  open(tag: string, attributes: Record<string, string>): void {
    this.result.tags.add(tag);
    if (BLOCK_TAG.test(tag)) this.endParagraph();
    if (tag === 'img') {
      this.result.pictures.push({ attributes, isInLink: this.link !== null });
      if (this.link) this.link.label += ` ${attributes['alt'] ?? ''}`;
    }
    const depth = this.openElements.length;
    if (tag === 'a') {
      const { href, name } = attributes;
      const isTarget = href === undefined && name !== undefined;
      this.link ??= { href, isTarget, label: '', depth };
    }
    if (HEADING_TAG.test(tag)) this.heading ??= { level: Number(tag[1]), text: '', depth };
    const style = this.styleOf(tag, attributes);
    if (!EMPTY_TAG.test(tag)) this.openElements.push({ tag, style });
  }

  write(text: string): void {
    this.paragraph += text;
    if (this.link) this.link.label += text;
    if (this.heading) this.heading.text += text;
    if (text.trim() === '') return;
    this.result.runs.push({ text, style: this.currentStyle(), isInLink: this.link !== null });
  }

  close(tag: string): void {
    if (BLOCK_TAG.test(tag)) this.endParagraph();
    if (this.openElements.at(-1)?.tag === tag) this.openElements.pop();
    const depth = this.openElements.length;
    if (this.link?.depth === depth) {
      const { href, isTarget, label } = this.link;
      if (!isTarget) this.result.links.push({ href, label: collapse(label) });
      this.link = null;
    }
    if (this.heading?.depth === depth) {
      const { level, text } = this.heading;
      this.result.headings.push({ level, text: collapse(text) });
      this.heading = null;
    }
  }

  end(): RichText {
    this.endParagraph();
    return { ...this.result, text: this.result.paragraphs.join(' ') };
  }

  private endParagraph(): void {
    const paragraph = collapse(this.paragraph);
    if (paragraph !== '') this.result.paragraphs.push(paragraph);
    this.paragraph = '';
  }

  private currentStyle = (): TextStyle => this.openElements.at(-1)?.style ?? this.style;

  private styleOf(tag: string, attributes: Record<string, string>): TextStyle {
    const properties: Record<string, string> = {};
    if (tag === 'b' || tag === 'strong' || tag === 'th') properties['font-weight'] = 'bold';
    if (attributes['bgcolor'] !== undefined) {
      properties['background-color'] = attributes['bgcolor'];
    }
    if (tag === 'font' && attributes['color'] !== undefined) {
      properties['color'] = attributes['color'];
    }
    // The `size` of a `font` element is not in pixels. An empty value makes the font size unknown.
    if (tag === 'font' && attributes['size'] !== undefined) properties['font-size'] = '';
    for (const declaration of (attributes['style'] ?? '').split(';')) {
      const colon = declaration.indexOf(':');
      if (colon === -1) continue;
      const property = declaration.slice(0, colon).trim();
      const value = declaration.slice(colon + 1).trim();
      properties[property] = value;
      this.result.declarations.push([property, value]);
    }
    // Most elements set no properties, and their text keeps the current style.
    for (const _property in properties) return styledWith(this.currentStyle(), properties);
    return this.currentStyle();
  }
}
