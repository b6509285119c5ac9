import { attributesOf, defaultAttributes } from './attributes.js';
import { drawBlock } from './blocks/blocks.js';
import { COLUMNS } from './columns-component.js';
import {
  defaultProperties,
  inherit,
  missingModule,
  objectIn,
  textStyleNames,
  type DocumentNode,
  type Place,
} from '../../document/index.js';
import type { MjmlNode } from './mjml-node.js';
import { textStylesOf, type DocumentStyles, type Surroundings } from './styles.js';
import { shareWidth, withVisibility } from './visibility.js';

/** Draws the stripes, wrappers and heroes of a document or of a wrapper. */
export const drawStripes = (outer: Surroundings, place: Place): MjmlNode[] =>
  childrenOf(outer, place, 'stripes', (stripe) => {
    switch (stripe.node['type']) {
      case 'wrapper':
        return drawWrapper(outer, stripe);
      case 'hero':
        return drawHero(outer, stripe);
      default:
        return drawStripe(outer, stripe);
    }
  });

/** Draws the nodes in an array of a node, with the marks of their conditions and repetitions. */
function childrenOf(
  { drawing }: Surroundings,
  place: Place,
  member: string,
  draw: (child: Place) => MjmlNode | MjmlNode[],
): MjmlNode[] {
  return drawing
    .placesIn(place, member)
    .flatMap((child) => drawing.mark(child, [draw(child)].flat()));
}

/** The surroundings of the nodes inside a node. */
const inside = (outer: Surroundings, place: Place, properties: DocumentNode): Surroundings => ({
  ...outer,
  inherited: inherit(outer.inherited, textStylesOf(outer.drawing, place, properties)),
});

/** Draws a node with the properties in its `styles`. */
function drawNode(
  outer: Surroundings,
  place: Place,
  tagName: string,
  drawChildren: (inner: Surroundings) => MjmlNode[],
  defaults: Record<string, string> = {},
): MjmlNode {
  const { drawing } = outer;
  const styles = objectIn(place.node, 'styles');
  const attributes = attributesOf(drawing, place, styles, tagName, textStyleNames);
  return withVisibility(drawing, place, {
    tagName,
    attributes: { ...defaults, ...attributes },
    children: drawChildren(inside(outer, place, styles)),
  });
}

const drawWrapper = (outer: Surroundings, place: Place): MjmlNode =>
  drawNode(outer, place, 'mj-wrapper', (inner) => drawStripes(inner, place), NO_PADDING);

const drawHero = (outer: Surroundings, place: Place): MjmlNode =>
  drawNode(outer, place, 'mj-hero', (inner) => drawBlocks(inner, place));

/** A stripe has structures, which are rows of containers. A stripe that has containers instead is a single row. */
function drawStripe(outer: Surroundings, place: Place): MjmlNode {
  const { drawing, document } = outer;
  const defaults = {
    ...defaultAttributes(drawing, defaultProperties.stripe, 'mj-section'),
    ...document.own.stripe,
  };
  if (place.node['structures'] === undefined) return drawRow(outer, place, defaults);
  if (place.node['containers'] !== undefined) {
    drawing.warn(place, 'containers is left out, because the stripe has structures.');
  }
  const drawStructures = (inner: Surroundings) =>
    childrenOf(inner, place, 'structures', (structure) => drawRow(inner, structure, NO_PADDING));
  return drawNode(outer, place, 'mj-wrapper', drawStructures, defaults);
}

const NO_PADDING = { padding: '0' };

function drawRow(outer: Surroundings, place: Place, defaults: Record<string, string>): MjmlNode {
  const drawContainers = (inner: Surroundings) =>
    shareWidth(
      childrenOf(inner, place, 'containers', (container) => drawContainer(inner, container)),
    );
  return drawNode(outer, place, 'mj-section', drawContainers, defaults);
}

/**
 * A container is one column. If all its blocks are columns, it has these columns side by side. Without styles of its
 * own, the columns replace it.
 */
function drawContainer(outer: Surroundings, place: Place): MjmlNode[] {
  const { drawing, document } = outer;
  const blocks = drawing.placesIn(place, 'blocks');
  const styles = objectIn(place.node, 'styles');
  const columns = blocks.filter(({ node }) => missingModule(node) === undefined);
  if (columns.length === 0 || columns.some(({ node }) => node['type'] !== 'column')) {
    return [asContainer(drawColumn(outer, place, styles, blocks), document)];
  }
  const drawColumns = (inner: Surroundings) =>
    columns.map((column): [Place, MjmlNode] => {
      const props = objectIn(column.node, 'props');
      return [column, drawColumn(inner, column, props, drawing.placesIn(column, 'blocks'))];
    });
  // Editors store empty strings for properties that are not set.
  const isNested = Object.values(styles).some((value) => value !== '' && value !== null);
  if (!isNested) {
    return drawColumns(outer).flatMap(([column, drawn]) =>
      drawing.mark(column, [withVisibility(drawing, place, asContainer(drawn, document))]),
    );
  }
  const node = drawNode(outer, place, 'mj-column', (inner) => {
    const children = drawColumns(inner).flatMap(([column, drawn]) => drawing.mark(column, [drawn]));
    return [{ tagName: COLUMNS, children: shareWidth(children) }];
  });
  return [asContainer(node, document)];
}

/** Adds the properties that the document sets for all containers. */
const asContainer = (column: MjmlNode, { own }: DocumentStyles): MjmlNode => ({
  ...column,
  attributes: { ...own.container, ...column.attributes },
});

function drawColumn(
  outer: Surroundings,
  place: Place,
  properties: DocumentNode,
  blocks: readonly Place[],
): MjmlNode {
  const { drawing } = outer;
  const inner = inside(outer, place, properties);
  return withVisibility(drawing, place, {
    tagName: 'mj-column',
    attributes: attributesOf(drawing, place, properties, 'mj-column', textStyleNames),
    children: blocks.flatMap((block) => drawing.mark(block, [drawBlock(inner, block)])),
  });
}

const drawBlocks = (inner: Surroundings, place: Place): MjmlNode[] =>
  childrenOf(inner, place, 'blocks', (block) => drawBlock(inner, block));
