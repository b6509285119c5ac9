import { attributesOf } from './attributes.js';
import { drawBlock } from './blocks.js';
import {
  isObject,
  objectIn,
  textIn,
  Undrawable,
  type DocumentNode,
  type Drawing,
  type Place,
} from './drawing.js';
import { escapeText, type MjmlNode } from './mjml-node.js';

const DEFAULT_WIDTH = 600;
const DEFAULT_FONTS = 'Helvetica, Arial, sans-serif';
// Styles that editors based on MJML store with a stripe, and that make no difference to a section.
const STRIPE_WITHOUT = [
  'wrapper',
  'align',
  'font-size',
  'color',
  'vertical-align',
  'mode',
  'height',
];

/** @throws Undrawable for a document without stripes, such as the documents of other editors. */
export function requireDrawable(document: unknown): DocumentNode {
  if (isObject(document) && Array.isArray(document['stripes'])) return document;
  throw new Undrawable('it must have an array stripes.');
}

/**
 * Draws a document as MJML.
 *
 * @param defaultTitle the title, if the document has none.
 */
export function drawDocument(
  drawing: Drawing,
  document: DocumentNode,
  defaultTitle: string,
): MjmlNode {
  const styles = objectIn(document, 'styles');
  const place = { node: document, path: '' };
  const stripes = drawing.placesIn(place, 'stripes').map((stripe) => drawStripe(drawing, stripe));
  const language = textIn(document, 'language') ?? 'und';
  return {
    tagName: 'mjml',
    attributes: {
      lang: escapeText(language),
      dir: document['direction'] === 'rtl' ? 'rtl' : 'ltr',
    },
    children: [
      { tagName: 'mj-head', children: headOf(document, styles, defaultTitle) },
      {
        tagName: 'mj-body',
        attributes: {
          width: `${widthOf(styles)}px`,
          ...attributesOf(
            drawing,
            { node: styles, path: '/styles' },
            { 'background-color': styles['backgroundColor'] ?? '' },
            'mj-body',
          ),
        },
        children: stripes,
      },
    ],
  };
}

function headOf(document: DocumentNode, styles: DocumentNode, defaultTitle: string): MjmlNode[] {
  const title = textIn(document, 'title') ?? defaultTitle;
  const preheader = textIn(document, 'preheader');
  const fonts = textIn(styles, 'fontFamily') ?? DEFAULT_FONTS;
  return [
    { tagName: 'mj-title', content: escapeText(title) },
    ...(preheader === undefined ? [] : [{ tagName: 'mj-preview', content: escapeText(preheader) }]),
    {
      tagName: 'mj-attributes',
      children: [{ tagName: 'mj-all', attributes: { 'font-family': fontsOf(fonts) } }],
    },
  ];
}

const fontsOf = (fonts: string): string =>
  escapeText(/^[\w\s.,'"-]+$/.test(fonts) ? fonts : DEFAULT_FONTS);

function widthOf({ contentWidth }: DocumentNode): number {
  const isUsable = typeof contentWidth === 'number' && contentWidth >= 200 && contentWidth <= 2_000;
  return isUsable ? Math.round(contentWidth) : DEFAULT_WIDTH;
}

function drawStripe(drawing: Drawing, place: Place): MjmlNode {
  const containers = drawing.placesIn(place, 'containers');
  const styles = objectIn(place.node, 'styles');
  const columns = containers.flatMap((container) => drawContainer(drawing, container));
  return {
    tagName: 'mj-section',
    attributes: attributesOf(drawing, place, styles, 'mj-section', STRIPE_WITHOUT),
    children: columns,
  };
}

/** A container is a column. A container of nothing but columns is these columns. */
function drawContainer(drawing: Drawing, place: Place): MjmlNode[] {
  const blocks = drawing.placesIn(place, 'blocks');
  if (blocks.length > 0 && blocks.every(({ node }) => node['type'] === 'column')) {
    return blocks.map((column) => {
      const props = objectIn(column.node, 'props');
      return drawColumn(drawing, column, props, drawing.placesIn(column, 'blocks'));
    });
  }
  return [drawColumn(drawing, place, objectIn(place.node, 'styles'), blocks)];
}

const drawColumn = (
  drawing: Drawing,
  place: Place,
  properties: DocumentNode,
  blocks: readonly Place[],
): MjmlNode => ({
  tagName: 'mj-column',
  attributes: attributesOf(drawing, place, properties, 'mj-column'),
  children: blocks.map((block) => drawBlock(drawing, block)),
});
