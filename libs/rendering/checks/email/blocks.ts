import {
  asText,
  defaultTextStyles,
  isObject,
  objectIn,
  textIn,
  type Attributes,
  type DocumentNode,
  type Place,
  isBaseUrl,
} from '../../document/index.js';
import {
  isAllowed,
  isBlockType,
  richText,
  safeHtml,
  styleBlock,
  type BlockType,
  overridesOf,
} from '../../drawing/index.js';
import { backgroundOn, parseColour, type Background, type Colour } from './colours.js';
import type { Surroundings } from './surroundings.js';
import { placesInProps } from './places.js';
import { readRichText, type RichText } from './rich-text-reader.js';
import { isBold, pixelsIn, styledWith, type TextStyle } from './text-style.js';

/** A text of a block, or of a link in a menu or social block. */
export interface EmailText {
  place: Place;
  /** The type of the block, or `link` for a link in a menu or social block. */
  type: string;
  /** The markup as written in the document; empty for a link in a menu, whose label is plain text. */
  source: string;
  rich: RichText;
  /** The colours in dark mode; undefined if they are the same as in light mode. */
  dark?: ColoursInDarkMode | undefined;
}

interface ColoursInDarkMode {
  /** Undefined if the colour cannot be known. */
  colour: Colour | undefined;
  background: Background;
}

export interface EmailLink {
  place: Place;
  href: string | undefined;
  /** The text of the link, or the alternative text of its image; undefined for an image without alternative text. */
  label: string | undefined;
}

export interface EmailImage {
  place: Place;
  src: string | undefined;
  alt: string | undefined;
  width: string | undefined;
  height: string | undefined;
  isInLink: boolean;
  /** Whether Galley limits the image to the width of its column. */
  hasColumnWidth: boolean;
}

export interface BlockParts {
  texts: EmailText[];
  links: EmailLink[];
  images: EmailImage[];
}

interface Block {
  place: Place;
  type: string;
  props: DocumentNode;
  style: TextStyle;
  linkColor: string;
}

type ReadBlock = (block: Block) => Partial<BlockParts>;

const readers: Partial<Record<BlockType, ReadBlock>> = {
  text: (block) => readText(block, richText),
  heading: (block) => readText(block, richText),
  html: (block) => readText(block, safeHtml),
  raw: (block) => readText(block, safeHtml),
  list: (block) =>
    textParts(block, paragraphsOf(block, elementsIn(block.props['items'], 'content'))),
  table: readTable,
  accordion: readAccordion,
  button: readButton,
  image: readImage,
  video: readVideo,
  countdown: readImage,
  social: readSocial,
  menu: readMenu,
  navbar: readMenu,
};

/** Reads the texts, links and images of a block. A block of an unknown type has none. */
export function readBlock(
  place: Place,
  { background, darkBackground, ...outer }: Surroundings,
): BlockParts & { properties?: Attributes } {
  const nothing = { texts: [], links: [], images: [] };
  const type = textIn(place.node, 'type') ?? '';
  if (!isBlockType(type)) return nothing;
  const props = objectIn(place.node, 'props');
  const styled = { ...outer, place, props };
  const { properties, textStyle } = styleBlock(styled, type);
  const behindBlock = backgroundOn(background, properties['container-background-color']);
  const style = {
    colour: parseColour(properties['color'] ?? defaultTextStyles.color),
    background: backgroundOn(behindBlock, properties['background-color']),
    fontSize: pixelsIn(properties['font-size'] ?? defaultTextStyles['font-size']),
    isBold: isBold(properties['font-weight']),
  };
  const block = { place, type, props, style, linkColor: textStyle.linkColor ?? '' };
  const { dark } = overridesOf(styled, type);
  const inDarkMode = { ...properties, ...dark };
  const behindInDarkMode = backgroundOn(darkBackground, inDarkMode['container-background-color']);
  const darkColours = {
    colour: parseColour(inDarkMode['color'] ?? defaultTextStyles.color),
    background: backgroundOn(behindInDarkMode, inDarkMode['background-color']),
  };
  const parts: BlockParts = { ...nothing, ...readers[type]?.(block) };
  const isSame =
    String(darkColours.colour) === String(style.colour) &&
    String(darkColours.background.colour) === String(style.background.colour);
  const texts = isSame ? parts.texts : parts.texts.map((text) => ({ ...text, dark: darkColours }));
  return { ...parts, texts, properties };
}

/** Applies the text properties of a link to a style. */
function styleOf(style: TextStyle, props: DocumentNode): TextStyle {
  return styledWith(style, {
    color: textIn(props, 'color') || undefined,
    'font-size': textIn(props, 'font-size') || undefined,
    'font-weight': textIn(props, 'font-weight') || undefined,
  });
}

/** A text in the document, and the HTML that Galley generates from the text. */
interface Markup {
  source: string;
  html: string;
}

function textParts({ place, type, style }: Block, { source, html }: Markup): BlockParts {
  const rich = readRichText(html, style);
  const links = rich.links.map(({ href, label }) => ({ place, href, label }));
  const images = rich.pictures.map(({ attributes, isInLink }) => ({
    place,
    src: attributes['src'],
    alt: attributes['alt'],
    width: attributes['width'] ?? widthIn(attributes['style']),
    height: attributes['height'],
    isInLink,
    hasColumnWidth: false,
  }));
  return { texts: [{ place, type, source, rich }], links, images };
}

const widthIn = (style = ''): string | undefined =>
  /(?:^|;)\s*(?:max-)?width\s*:\s*([^;]+)/.exec(style)?.[1];

function readText(block: Block, sanitise: typeof richText): BlockParts {
  const source = asText(block.props['content']) ?? '';
  return textParts(block, { source, html: sanitise(source, { linkColor: block.linkColor }) });
}

/**
 * Joins the items of a list, or the cells of a table, as paragraphs. Each value is sanitised separately, as in the
 * HTML.
 */
function paragraphsOf({ linkColor }: Block, values: readonly unknown[]): Markup {
  const sources = values.map((value) => asText(value) ?? '');
  const html = sources.map((source) => `<p>${richText(source, { linkColor })}</p>`).join('');
  return { source: sources.join(' '), html };
}

/**
 * Returns the value of each element of a list. An element is either the value itself, or an object that contains the
 * value in `member`.
 */
const elementsIn = (list: unknown, member: string): unknown[] =>
  listOf(list).map((each) => (isObject(each) ? each[member] : each));

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

function readTable(block: Block): BlockParts {
  const { header, rows } = block.props;
  const cells = elementsIn(rows, 'cells').flatMap(listOf);
  return textParts(block, paragraphsOf(block, listOf(header).concat(cells)));
}

function readAccordion(block: Block): BlockParts {
  const parts = placesInProps(block.place, 'elements').flatMap((element) =>
    ['title', 'content'].map((member) =>
      readText({ ...block, place: element, props: { content: element.node[member] } }, richText),
    ),
  );
  return {
    texts: parts.flatMap(({ texts }) => texts),
    links: parts.flatMap(({ links }) => links),
    images: parts.flatMap(({ images }) => images),
  };
}

/** The URL that the HTML contains: empty if Galley leaves out an unsafe URL, and undefined if there is no URL. */
function hrefIn(properties: DocumentNode, name: string): string | undefined {
  const href = textIn(properties, name);
  return href === undefined || isAllowed('href', href) ? href : '';
}

function readButton(block: Block): BlockParts {
  const { place, props } = block;
  const { texts, images } = readText(block, richText);
  const label = texts[0]?.rich.text;
  return { texts, images, links: [{ place, href: hrefIn(props, 'href'), label }] };
}

function readImage({ place, props }: Block): Partial<BlockParts> {
  return imageParts(place, props, textIn(props, 'src'), hrefIn(props, 'href') || undefined);
}

function readVideo({ place, props }: Block): Partial<BlockParts> {
  return imageParts(place, props, textIn(props, 'poster'), hrefIn(props, 'src') ?? '');
}

function imageParts(
  place: Place,
  props: DocumentNode,
  src: string | undefined,
  href: string | undefined,
): Partial<BlockParts> {
  const alt = textIn(props, 'alt');
  const image = {
    place,
    src,
    alt,
    width: textIn(props, 'width'),
    height: textIn(props, 'height'),
    isInLink: href !== undefined,
    hasColumnWidth: true,
  };
  return { images: [image], ...(href !== undefined && { links: [{ place, href, label: alt }] }) };
}

function readSocial({ place, style }: Block): Partial<BlockParts> {
  const elements = placesInProps(place, 'elements').map((element) => {
    const { name, content } = element.node;
    const text = asText(content) ?? '';
    const ownStyle = styleOf(style, element.node);
    const rich = readRichText(richText(text), ownStyle);
    const label = rich.text || textIn(element.node, 'alt') || asText(name) || '';
    const link = { place: element, href: hrefIn(element.node, 'href'), label };
    return { text: { place: element, type: 'link', source: text, rich }, link };
  });
  return { texts: elements.map(({ text }) => text), links: elements.map(({ link }) => link) };
}

function readMenu({ place, props, style }: Block): Partial<BlockParts> {
  const { 'base-url': given } = props;
  const base = isBaseUrl(given) ? given : '';
  const links = placesInProps(place, 'links').map((link) => {
    const { node } = link;
    const label = (textIn(node, 'content') ?? '').trim();
    const href = hrefIn(node, 'href');
    const run = { text: label, style: styleOf(style, node), isInLink: true };
    const rich = { ...readRichText('', style), text: label, runs: label === '' ? [] : [run] };
    const text = { place: link, type: 'link', source: '', rich };
    return { text, link: { place: link, href: href && base + href, label } };
  });
  return { texts: links.map(({ text }) => text), links: links.map(({ link }) => link) };
}
