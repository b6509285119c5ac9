import { attributesOf } from './attributes.js';
import { drawBlock } from './blocks/blocks.js';
import {
  DEFAULT_BACKGROUND,
  DEFAULT_WIDTH,
  escapeText,
  inherit,
  isObject,
  missingModule,
  objectIn,
  textIn,
  textStyleNames,
  Undrawable,
  type DocumentNode,
  type Place,
  type TextStyles,
} from '../../document/index.js';
import type { Drawing } from './drawing.js';
import type { MjmlNode } from './mjml-node.js';
import { COLUMNS } from './columns-component.js';
import { attributesOfElements } from './default-attributes.js';
import { readStyles, textStylesOf, type DocumentStyles } from './styles.js';
import { shareWidth, visibilityStyle, withVisibility } from './visibility.js';

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
  const styles = readStyles(drawing, document);
  const stripes = drawing
    .placesIn(place, 'stripes')
    .flatMap((stripe) => drawing.mark(stripe, [drawStripe(drawing, stripe, styles)]));
  return {
    tagName: 'mjml',
    attributes: {
      lang: escapeText(textIn(document, 'language') ?? 'und'),
      dir: drawing.direction,
    },
    children: [
      {
        tagName: 'mj-head',
        children: [
          ...headOf(document, defaultTitle),
          attributesOfElements(drawing, styles, stripes),
          ...(drawing.usesVisibility ? [visibilityStyle] : []),
        ],
      },
      { tagName: 'mj-body', attributes: bodyAttributes(drawing, document), children: stripes },
    ],
  };
}

function headOf(document: DocumentNode, defaultTitle: string): MjmlNode[] {
  const title = textIn(document, 'title') ?? defaultTitle;
  const preheader = textIn(document, 'preheader');
  return [
    { tagName: 'mj-title', content: escapeText(title) },
    ...(preheader === undefined ? [] : [{ tagName: 'mj-preview', content: escapeText(preheader) }]),
  ];
}

function bodyAttributes(drawing: Drawing, document: DocumentNode): Record<string, string> {
  const { contentWidth, backgroundColor } = objectIn(document, 'styles');
  const place = { node: {}, path: '/styles' };
  const width = drawing.valueOr(DEFAULT_WIDTH, place, 'contentWidth', contentWidth, isWidth);
  const background = { 'background-color': backgroundColor ?? '' };
  return {
    width: `${Math.round(width)}px`,
    'background-color': DEFAULT_BACKGROUND,
    ...attributesOf(drawing, place, background, 'mj-body'),
  };
}

const isWidth = (value: unknown): value is number =>
  typeof value === 'number' && value >= 200 && value <= 2_000;

function drawStripe(drawing: Drawing, place: Place, document: DocumentStyles): MjmlNode {
  const containers = drawing.placesIn(place, 'containers');
  const styles = objectIn(place.node, 'styles');
  const inherited = inherit({}, textStylesOf(drawing, place, styles));
  const columns = containers.flatMap((container) =>
    drawing.mark(container, drawContainer(drawing, container, document, inherited)),
  );
  return withVisibility(drawing, place, {
    tagName: 'mj-section',
    attributes: attributesOf(drawing, place, styles, 'mj-section', textStyleNames),
    children: shareWidth(columns),
  });
}

/**
 * A container is one column. If all its blocks are columns, it has these columns side by side. Without styles of its
 * own, the columns replace it.
 */
function drawContainer(
  drawing: Drawing,
  place: Place,
  document: DocumentStyles,
  outer: Partial<TextStyles>,
): MjmlNode[] {
  const blocks = drawing.placesIn(place, 'blocks');
  const styles = objectIn(place.node, 'styles');
  const columns = blocks.filter(({ node }) => missingModule(node) === undefined);
  if (columns.length === 0 || columns.some(({ node }) => node['type'] !== 'column')) {
    const drawn = drawColumn(drawing, place, styles, blocks, document, outer);
    return [asContainer(drawn, document)];
  }
  // Editors store empty strings for properties that are not set.
  const isNested = Object.values(styles).some((value) => value !== '' && value !== null);
  const drawColumns = (inherited: Partial<TextStyles>) =>
    columns.map((column): [Place, MjmlNode] => {
      const inside = drawing.placesIn(column, 'blocks');
      const props = objectIn(column.node, 'props');
      const drawn = drawColumn(drawing, column, props, inside, document, inherited);
      return [column, isNested ? drawn : asContainer(drawn, document)];
    });
  if (!isNested) {
    return drawColumns(outer).flatMap(([column, drawn]) =>
      drawing.mark(column, [withVisibility(drawing, place, drawn)]),
    );
  }
  const drawn = drawColumns(inherit(outer, textStylesOf(drawing, place, styles)));
  const children = drawn.flatMap(([column, node]) => drawing.mark(column, [node]));
  const attributes = attributesOf(drawing, place, styles, 'mj-column', textStyleNames);
  const node = {
    tagName: 'mj-column',
    attributes,
    children: [{ tagName: COLUMNS, children: shareWidth(children) }],
  };
  return [asContainer(withVisibility(drawing, place, node), document)];
}

/** Adds the properties that the document sets for all containers. */
const asContainer = (column: MjmlNode, { own }: DocumentStyles): MjmlNode => ({
  ...column,
  attributes: { ...own.container, ...column.attributes },
});

function drawColumn(
  drawing: Drawing,
  place: Place,
  properties: DocumentNode,
  blocks: readonly Place[],
  document: DocumentStyles,
  outer: Partial<TextStyles>,
): MjmlNode {
  const inherited = inherit(outer, textStylesOf(drawing, place, properties));
  return withVisibility(drawing, place, {
    tagName: 'mj-column',
    attributes: attributesOf(drawing, place, properties, 'mj-column', textStyleNames),
    children: blocks.flatMap((block) =>
      drawing.mark(block, [drawBlock(drawing, block, document, inherited)]),
    ),
  });
}
