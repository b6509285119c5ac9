import { attributesOf } from './attributes.js';
import {
  asText,
  escapeText,
  isObject,
  missingModule,
  objectIn,
  textIn,
  type DocumentNode,
  type Place,
} from '../../document/index.js';
import type { Drawing } from './drawing.js';
import type { MjmlNode } from './mjml-node.js';
import { richText, safeHtml } from './rich-text.js';
import { withVisibility } from './visibility.js';

type DrawBlock = (drawing: Drawing, place: Place, props: DocumentNode) => MjmlNode;

/** Functions that draw blocks, by block type. A block stores its properties in `props`, under their MJML names. */
const blockTypes: Record<string, DrawBlock> = {
  text: (drawing, place, props) =>
    drawText(drawing, place, props, ['content'], contentOf(drawing, place, props)),
  heading: drawHeading,
  list: drawList,
  html: drawHtml,
  raw: drawHtml,
  image: (drawing, place, props) => drawEmpty(drawing, place, props, 'mj-image'),
  divider: (drawing, place, props) => drawEmpty(drawing, place, props, 'mj-divider'),
  spacer: (drawing, place, props) => drawEmpty(drawing, place, props, 'mj-spacer'),
  button: drawButton,
  video: drawVideo,
  table: drawTable,
  social: drawSocial,
  menu: drawMenu,
  navbar: drawMenu,
};

const MISSING_MODULE: MjmlNode = {
  tagName: 'mj-raw',
  content: '<!-- Left out: a module that could not be inserted -->',
};

/** The block types that Galley draws, except columns. */
export const blockTypeNames = Object.keys(blockTypes);

/** Draws a block. A block of an unknown type becomes a comment. */
export function drawBlock(drawing: Drawing, place: Place): MjmlNode {
  if (missingModule(place.node)) return MISSING_MODULE;
  const type = textIn(place.node, 'type') ?? '';
  const draw = Object.hasOwn(blockTypes, type) ? blockTypes[type] : undefined;
  if (draw) {
    return withVisibility(drawing, place, draw(drawing, place, objectIn(place.node, 'props')));
  }
  return drawing.leaveOut(
    place,
    type === '' ? 'A block without a type' : `A block of the unknown type ${type}`,
  );
}

// These members of a link are not MJML attributes.
const LINK_MEMBERS = ['content', 'condition', 'repeat'];

const isText = (value: unknown): value is string | number => asText(value) !== undefined;
const isList = (value: unknown): value is unknown[] => Array.isArray(value);

/** Sanitises the formatted text in the property `content`. */
const contentOf = (drawing: Drawing, place: Place, { content }: DocumentNode): string =>
  richText(String(drawing.valueOr('', place, 'content', content, isText)));

/** Sanitises the formatted texts in a list. */
function textsOf(drawing: Drawing, place: Place, name: string, value: unknown): string[] {
  const texts = drawing.valueOr([], place, name, value, isList);
  return texts.map((text) => richText(String(drawing.valueOr('', place, name, text, isText))));
}

/**
 * Draws the elements of a list as HTML. An element is either the value itself, or an object that contains the value in
 * `member`. Such an object may also have a `condition` and a `repeat`.
 */
function elementsOf(
  drawing: Drawing,
  place: Place,
  name: string,
  member: string,
  draw: (value: unknown) => string,
): string {
  const elements = drawing.valueOr([], place, name, objectIn(place.node, 'props')[name], isList);
  return elements
    .map((each) => (isObject(each) ? drawing.markText(each, draw(each[member])) : draw(each)))
    .join('');
}

function drawText(
  drawing: Drawing,
  place: Place,
  props: DocumentNode,
  used: readonly string[],
  content: string,
): MjmlNode {
  return {
    tagName: 'mj-text',
    attributes: attributesOf(drawing, place, props, 'mj-text', used),
    content,
  };
}

function drawHeading(drawing: Drawing, place: Place, props: DocumentNode): MjmlNode {
  const tag = `h${drawing.valueOr(2, place, 'level', props['level'], isLevel)}`;
  // Browsers have default sizes and margins for headings. This style resets them, so that the styles of the text apply.
  const style = 'margin:0;font-size:inherit;font-weight:inherit;line-height:inherit';
  const content = `<${tag} style="${style}">${contentOf(drawing, place, props)}</${tag}>`;
  const heading = drawText(drawing, place, props, ['content', 'level'], content);
  return {
    ...heading,
    attributes: { 'font-size': '24px', 'font-weight': 'bold', ...heading.attributes },
  };
}

const isLevel = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= 1 && (value as number) <= 6;

function drawList(drawing: Drawing, place: Place, props: DocumentNode): MjmlNode {
  const { ordered } = props;
  const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean';
  const tag = drawing.valueOr(false, place, 'ordered', ordered, isBoolean) ? 'ol' : 'ul';
  const entries = elementsOf(drawing, place, 'items', 'content', (content) => {
    const text = drawing.valueOr('', place, 'items', content, isText);
    return `<li>${richText(String(text))}</li>`;
  });
  const content = `<${tag} style="margin:0;padding:0 0 0 20px">${entries}</${tag}>`;
  return drawText(drawing, place, props, ['items', 'ordered'], content);
}

function drawHtml(drawing: Drawing, place: Place, props: DocumentNode): MjmlNode {
  const html = String(drawing.valueOr('', place, 'content', props['content'], isText));
  return drawText(drawing, place, props, ['content'], safeHtml(html));
}

function drawEmpty(drawing: Drawing, place: Place, props: DocumentNode, tagName: string): MjmlNode {
  return { tagName, attributes: attributesOf(drawing, place, props, tagName) };
}

function drawButton(drawing: Drawing, place: Place, props: DocumentNode): MjmlNode {
  const attributes = attributesOf(drawing, place, props, 'mj-button', ['content']);
  return { tagName: 'mj-button', attributes, content: contentOf(drawing, place, props) };
}

/** Mail clients do not play videos, so Galley draws an image (`poster`) that links to the video (`src`). */
function drawVideo(drawing: Drawing, place: Place, props: DocumentNode): MjmlNode {
  const { src = '', poster = '', href = '', ...others } = props;
  if (href !== '') drawing.warn(place, 'href: not a property of this node.');
  return drawEmpty(drawing, place, { ...others, href: src, src: poster }, 'mj-image');
}

function drawTable(drawing: Drawing, place: Place, props: DocumentNode): MjmlNode {
  const rowOf = (name: string, cells: unknown, begin: string, end: string) => {
    const texts = textsOf(drawing, place, name, cells).map((text) => `${begin}${text}${end}`);
    return `<tr>${texts.join('')}</tr>`;
  };
  const { header } = props;
  const head = header === undefined ? '' : rowOf('header', header, '<th align="left">', '</th>');
  const body = elementsOf(drawing, place, 'rows', 'cells', (cells) =>
    rowOf('rows', cells, '<td>', '</td>'),
  );
  const attributes = attributesOf(drawing, place, props, 'mj-table', ['rows', 'header']);
  return { tagName: 'mj-table', attributes, content: head + body };
}

function drawSocial(drawing: Drawing, place: Place, props: DocumentNode): MjmlNode {
  const list = { node: props, path: `${place.path}/props` };
  const children = drawing.placesIn(list, 'elements').flatMap((element) => {
    const { name, href, ...others } = element.node;
    const properties = { ...others, name: withoutSharing(name), href: withoutPatterns(href) };
    const tagName = 'mj-social-element';
    const attributes = attributesOf(drawing, element, properties, tagName, LINK_MEMBERS);
    const content = contentOf(drawing, element, element.node);
    return drawing.mark(element, [{ tagName, attributes, content }]);
  });
  const attributes = attributesOf(drawing, place, props, 'mj-social', ['elements']);
  return { tagName: 'mj-social', attributes, children };
}

/**
 * For a name such as `facebook`, MJML would generate a link that shares the URL on that network. The suffix `-noshare`
 * makes MJML link to the URL itself.
 */
const withoutSharing = (name: unknown = ''): unknown =>
  typeof name === 'string' && name !== '' && !name.endsWith('-noshare') ? `${name}-noshare` : name;

/** MJML inserts the URL with `String.replace`, which interprets patterns such as `$&`. */
const withoutPatterns = (href: unknown = ''): unknown =>
  typeof href === 'string' ? href.replaceAll('$', '%24') : href;

function drawMenu(drawing: Drawing, place: Place, props: DocumentNode): MjmlNode {
  // Galley joins `base-url` and `href` itself, and checks the result. MJML would join them after the check.
  const base = textIn(props, 'base-url') ?? '';
  const list = { node: props, path: `${place.path}/props` };
  const children = drawing.placesIn(list, 'links').flatMap((link) => {
    const { href, ...others } = link.node;
    const properties = { ...others, href: typeof href === 'string' ? base + href : (href ?? '') };
    const tagName = 'mj-navbar-link';
    const attributes = attributesOf(drawing, link, properties, tagName, LINK_MEMBERS);
    const label = drawing.valueOr('', link, 'content', link.node['content'], isText);
    return drawing.mark(link, [{ tagName, attributes, content: escapeText(String(label)) }]);
  });
  const attributes = attributesOf(drawing, place, props, 'mj-navbar', ['links', 'base-url']);
  return { tagName: 'mj-navbar', attributes, children };
}
