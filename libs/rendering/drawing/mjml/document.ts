import { attributesOf } from './attributes.js';
import { drawBlock } from './blocks.js';
import {
  escapeText,
  isObject,
  missingModule,
  objectIn,
  textIn,
  Undrawable,
  type DocumentNode,
  type Place,
} from '../../document/index.js';
import type { Drawing } from './drawing.js';
import type { MjmlNode } from './mjml-node.js';
import { shareWidth, visibilityStyle, withVisibility } from './visibility.js';

const DEFAULT_WIDTH = 600;
const DEFAULT_FONTS = 'Helvetica, Arial, sans-serif';

/** @throws Undrawable for a document without stripes, such as a document from another editor. */
export function requireDrawable(document: unknown): DocumentNode {
  if (isObject(document) && Array.isArray(document['stripes'])) return document;
  throw new Undrawable('it has no stripes array.');
}

/**
 * Draws a document as MJML.
 *
 * @param defaultTitle the title to use if the document has none.
 */
export function drawDocument(
  drawing: Drawing,
  document: DocumentNode,
  defaultTitle: string,
): MjmlNode {
  const place = { node: document, path: '' };
  const stripes = drawing
    .placesIn(place, 'stripes')
    .flatMap((stripe) => drawing.mark(stripe, [drawStripe(drawing, stripe)]));
  const { contentWidth, backgroundColor, fontFamily } = objectIn(document, 'styles');
  const styles = { node: {}, path: '/styles' };
  const width = drawing.valueOr(DEFAULT_WIDTH, styles, 'contentWidth', contentWidth, isWidth);
  const fonts = attributesOf(drawing, styles, { 'font-family': fontFamily ?? '' }, 'mj-text');
  const colours = { 'background-color': backgroundColor ?? '' };
  const direction = drawing.valueOr('ltr', place, 'direction', document['direction'], isDirection);
  return {
    tagName: 'mjml',
    attributes: { lang: escapeText(textIn(document, 'language') ?? 'und'), dir: direction },
    children: [
      {
        tagName: 'mj-head',
        children: [
          ...headOf(document, defaultTitle, { 'font-family': DEFAULT_FONTS, ...fonts }),
          ...(drawing.usesVisibility ? [visibilityStyle] : []),
        ],
      },
      {
        tagName: 'mj-body',
        attributes: {
          width: `${Math.round(width)}px`,
          ...attributesOf(drawing, styles, colours, 'mj-body'),
        },
        children: stripes,
      },
    ],
  };
}

const isWidth = (value: unknown): value is number =>
  typeof value === 'number' && value >= 200 && value <= 2_000;

const isDirection = (value: unknown): value is string => value === 'ltr' || value === 'rtl';

function headOf(
  document: DocumentNode,
  defaultTitle: string,
  fonts: Record<string, string>,
): MjmlNode[] {
  const title = textIn(document, 'title') ?? defaultTitle;
  const preheader = textIn(document, 'preheader');
  return [
    { tagName: 'mj-title', content: escapeText(title) },
    ...(preheader === undefined ? [] : [{ tagName: 'mj-preview', content: escapeText(preheader) }]),
    { tagName: 'mj-attributes', children: [{ tagName: 'mj-all', attributes: fonts }] },
  ];
}

function drawStripe(drawing: Drawing, place: Place): MjmlNode {
  const containers = drawing.placesIn(place, 'containers');
  const styles = objectIn(place.node, 'styles');
  const columns = containers.flatMap((container) =>
    drawing.mark(container, drawContainer(drawing, container)),
  );
  return withVisibility(drawing, place, {
    tagName: 'mj-section',
    attributes: attributesOf(drawing, place, styles, 'mj-section'),
    children: shareWidth(columns),
  });
}

/** A container is one column, unless all its blocks are columns. In that case, the columns replace the container. */
function drawContainer(drawing: Drawing, place: Place): MjmlNode[] {
  const blocks = drawing.placesIn(place, 'blocks');
  const columns = blocks.filter(({ node }) => missingModule(node) === undefined);
  if (columns.length > 0 && columns.every(({ node }) => node['type'] === 'column')) {
    return columns.flatMap((column) => {
      const props = objectIn(column.node, 'props');
      const drawn = drawColumn(drawing, column, props, drawing.placesIn(column, 'blocks'));
      return drawing.mark(column, [withVisibility(drawing, place, drawn)]);
    });
  }
  return [drawColumn(drawing, place, objectIn(place.node, 'styles'), blocks)];
}

const drawColumn = (
  drawing: Drawing,
  place: Place,
  properties: DocumentNode,
  blocks: readonly Place[],
): MjmlNode =>
  withVisibility(drawing, place, {
    tagName: 'mj-column',
    attributes: attributesOf(drawing, place, properties, 'mj-column'),
    children: blocks.flatMap((block) => drawing.mark(block, [drawBlock(drawing, block)])),
  });
