import { attributesOf } from './attributes.js';
import { isObject, objectIn, textIn, type Drawing, type Place } from './drawing.js';
import { escapeText, type MjmlNode } from './mjml-node.js';
import { richText, safeHtml } from './rich-text.js';

type DrawBlock = (drawing: Drawing, place: Place) => MjmlNode;

/** The types of blocks. A block has its properties in `props`, with the names that MJML has for them. */
const blockTypes: Record<string, DrawBlock> = {
  text: (drawing, place) => drawText(drawing, place, ['content'], contentOf(place)),
  heading: drawHeading,
  list: drawList,
  html: drawHtml,
  raw: drawHtml,
  image: (drawing, place) => drawEmpty(drawing, place, 'mj-image'),
  divider: (drawing, place) => drawEmpty(drawing, place, 'mj-divider'),
  spacer: (drawing, place) => drawEmpty(drawing, place, 'mj-spacer'),
  button: drawButton,
  video: drawVideo,
  table: drawTable,
  social: drawSocial,
  menu: drawMenu,
  navbar: drawMenu,
};

const MISSING_MODULE: MjmlNode = {
  tagName: 'mj-raw',
  content: '<!-- Left out: a module that could not be found -->',
};

/** Draws a block. A block of another type becomes a comment. */
export function drawBlock(drawing: Drawing, place: Place): MjmlNode {
  // In the place of a module that could not be found. The references have warnings of their own.
  if (isObject(place.node['$module']) && 'problem' in place.node['$module']) return MISSING_MODULE;
  const type = textIn(place.node, 'type') ?? '';
  const draw = Object.hasOwn(blockTypes, type) ? blockTypes[type] : undefined;
  if (draw) return draw(drawing, place);
  return drawing.leaveOut(place, type === '' ? 'A block without a type' : `The block type ${type}`);
}

const propsOf = ({ node }: Place) => objectIn(node, 'props');
const contentOf = (place: Place) => richText(textIn(propsOf(place), 'content') ?? '');

function drawText(
  drawing: Drawing,
  place: Place,
  used: readonly string[],
  content: string,
): MjmlNode {
  const attributes = attributesOf(drawing, place, propsOf(place), 'mj-text', used);
  return { tagName: 'mj-text', attributes, content };
}

function drawHeading(drawing: Drawing, place: Place): MjmlNode {
  const level = Number(textIn(propsOf(place), 'level') ?? 2);
  const tag = `h${Number.isInteger(level) && level >= 1 && level <= 6 ? level : 2}`;
  // Browsers give headings a size and margins of their own. MJML sets those of the text.
  const style = 'margin:0;font-size:inherit;font-weight:inherit;line-height:inherit';
  const content = `<${tag} style="${style}">${contentOf(place)}</${tag}>`;
  const heading = drawText(drawing, place, ['content', 'level'], content);
  return {
    ...heading,
    attributes: { 'font-size': '24px', 'font-weight': 'bold', ...heading.attributes },
  };
}

function drawList(drawing: Drawing, place: Place): MjmlNode {
  const { items, ordered } = propsOf(place);
  const entries = (Array.isArray(items) ? items : []).map(
    (item: unknown) => `<li>${richText(typeof item === 'string' ? item : '')}</li>`,
  );
  const tag = ordered === true ? 'ol' : 'ul';
  const content = `<${tag} style="margin:0;padding:0 0 0 20px">${entries.join('')}</${tag}>`;
  return drawText(drawing, place, ['items', 'ordered'], content);
}

function drawHtml(drawing: Drawing, place: Place): MjmlNode {
  const html = safeHtml(textIn(propsOf(place), 'content') ?? '');
  return drawText(drawing, place, ['content', 'border', 'direction', 'text-align'], html);
}

function drawEmpty(drawing: Drawing, place: Place, tagName: string): MjmlNode {
  return { tagName, attributes: attributesOf(drawing, place, propsOf(place), tagName) };
}

function drawButton(drawing: Drawing, place: Place): MjmlNode {
  const attributes = attributesOf(drawing, place, propsOf(place), 'mj-button', ['content']);
  return { tagName: 'mj-button', attributes, content: contentOf(place) };
}

/** Mail clients play no videos: a picture of the video (`poster`) links to the video (`src`). */
function drawVideo(drawing: Drawing, place: Place): MjmlNode {
  const { src, poster, ...props } = propsOf(place);
  const image = { ...props, ...(src !== undefined && { href: src }), src: poster };
  return { tagName: 'mj-image', attributes: attributesOf(drawing, place, image, 'mj-image') };
}

function drawTable(drawing: Drawing, place: Place): MjmlNode {
  const { rows, header } = propsOf(place);
  const head = Array.isArray(header) ? [rowOf(header, '<th align="left">', '</th>')] : [];
  const body = (Array.isArray(rows) ? rows : []).map((row) => rowOf(row, '<td>', '</td>'));
  const attributes = attributesOf(drawing, place, propsOf(place), 'mj-table', ['rows', 'header']);
  return { tagName: 'mj-table', attributes, content: [...head, ...body].join('') };
}

function rowOf(cells: unknown, begin: string, end: string): string {
  const texts = (Array.isArray(cells) ? cells : []).map((cell: unknown) =>
    richText(typeof cell === 'string' ? cell : ''),
  );
  return `<tr>${texts.map((text) => `${begin}${text}${end}`).join('')}</tr>`;
}

function drawSocial(drawing: Drawing, place: Place): MjmlNode {
  const children = drawing
    .placesIn({ node: propsOf(place), path: `${place.path}/props` }, 'elements')
    .map((element): MjmlNode => ({
      tagName: 'mj-social-element',
      attributes: attributesOf(drawing, element, element.node, 'mj-social-element', ['content']),
      content: richText(textIn(element.node, 'content') ?? ''),
    }));
  const attributes = attributesOf(drawing, place, propsOf(place), 'mj-social', ['elements']);
  return { tagName: 'mj-social', attributes, children };
}

function drawMenu(drawing: Drawing, place: Place): MjmlNode {
  const children = drawing
    .placesIn({ node: propsOf(place), path: `${place.path}/props` }, 'links')
    .map((link): MjmlNode => ({
      tagName: 'mj-navbar-link',
      attributes: attributesOf(drawing, link, link.node, 'mj-navbar-link', ['content']),
      content: escapeText(textIn(link.node, 'content') ?? ''),
    }));
  const used = ['links', 'hamburger'];
  const attributes = attributesOf(drawing, place, propsOf(place), 'mj-navbar', used);
  return { tagName: 'mj-navbar', attributes, children };
}
