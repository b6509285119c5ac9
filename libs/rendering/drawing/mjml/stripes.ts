import { attributesOf, defaultAttributes } from './attributes.js';
import { drawBlock } from './blocks/blocks.js';
import { COLUMNS } from './components/columns.js';
import {
  defaultProperties,
  inherit,
  isObject,
  missingModule,
  objectIn,
  textStyleNames,
  type Attributes,
  type DocumentNode,
  type Place,
} from '../../document/index.js';
import type { Drawing } from './drawing.js';
import type { MjmlNode } from './mjml-node.js';
import { textStylesOf, type Surroundings } from './styles.js';
import { darkInside, readOverrides, withOverrides, type Overrides } from './overrides/overrides.js';
import { withVisibility } from './overrides/visibility.js';
import { shareWidth, verticalPadding, widthInside } from './widths.js';

/** Draws the stripes, wrappers and heroes of a document or of a wrapper. */
export const drawStripes = (outer: Surroundings, place: Place): MjmlNode[] =>
  drawAll(outer, outer.drawing.placesIn(place, 'stripes'), drawSection);

function drawSection(outer: Surroundings, place: Place): MjmlNode[] {
  if (place.node['type'] === 'wrapper') return drawWrapper(outer, place);
  if (place.node['type'] === 'hero') return drawHero(outer, place);
  return drawStripe(outer, place);
}

/** Draws nodes, with the marks of their conditions and repetitions. */
const drawAll = (
  outer: Surroundings,
  places: readonly Place[],
  draw: (outer: Surroundings, place: Place) => MjmlNode[],
): MjmlNode[] => places.flatMap((each) => outer.drawing.mark(each, draw(outer, each)));

/** The surroundings of the nodes inside a node. */
const inside = (
  outer: Surroundings,
  place: Place,
  properties: DocumentNode,
  { dark }: Overrides,
  ofDocument: Attributes = {},
): Surroundings => ({
  ...outer,
  inherited: inherit(outer.inherited, textStylesOf(outer.drawing, place, properties)),
  ...darkInside(outer, dark, { ...ofDocument, ...properties }),
});

interface NodeForm {
  tagName: string;
  /** The member of the document's `styles` that has default properties for the node. */
  kind?: 'stripe' | 'container';
  defaults?: Record<string, string>;
  /** The member of the node that contains the node's properties; by default, `styles`. */
  member?: 'styles' | 'props';
  /** Changes the attributes of the MJML element, which already contain the defaults and the properties of the node. */
  adjust?: (attributes: Record<string, string>) => Record<string, string>;
}

/** Draws a node that contains other nodes. */
function drawNode(
  outer: Surroundings,
  place: Place,
  {
    tagName,
    kind,
    defaults = {},
    member = 'styles',
    adjust = (attributes) => attributes,
  }: NodeForm,
  drawChildren: (inner: Surroundings) => MjmlNode[],
): MjmlNode[] {
  const { drawing, document } = outer;
  const properties = objectIn(place.node, member);
  const ofDocument = kind === undefined ? {} : document.own[kind];
  const attributes = adjust({
    ...defaults,
    ...ofDocument,
    ...attributesOf(drawing, place, properties, tagName, textStyleNames),
  });
  drawing.needsOwnComponents ||=
    tagName === 'mj-column' && attributes['background-url'] !== undefined;
  const overrides = readOverrides(outer, place, tagName, properties, kind && [kind]);
  const width = widthInside(outer.width, attributes);
  const inner = inside(outer, place, properties, overrides, ofDocument);
  const children = drawChildren({ ...inner, width: tagName === 'mj-column' ? undefined : width });
  return withOverrides(drawing, place, { tagName, attributes, children }, overrides);
}

const drawWrapper = (outer: Surroundings, place: Place): MjmlNode[] =>
  drawNode(outer, place, WRAPPER, (inner) => drawStripes(inner, place));
const WRAPPER = { tagName: 'mj-wrapper', defaults: { padding: '0' } };

const drawHero = (outer: Surroundings, place: Place): MjmlNode[] =>
  drawNode(outer, place, HERO, (inner) => drawBlocks(inner, place));
const HERO: NodeForm = {
  tagName: 'mj-hero',
  // MJML subtracts the padding from the height, and would write a negative height.
  adjust: (attributes) => ({ height: `${verticalPadding(attributes)}px`, ...attributes }),
};

/** A stripe has structures, which are rows of containers. A stripe that has containers instead is a single row. */
function drawStripe(outer: Surroundings, place: Place): MjmlNode[] {
  const { drawing } = outer;
  const defaults = defaultAttributes(drawing, defaultProperties.stripe, 'mj-section');
  if (place.node['structures'] === undefined) {
    return drawRow(outer, place, { tagName: 'mj-section', kind: 'stripe', defaults });
  }
  if (place.node['containers'] !== undefined) {
    drawing.warn(place, 'containers is left out, because the stripe has structures.');
  }
  const form = { tagName: 'mj-wrapper', kind: 'stripe', defaults } as const;
  return drawNode(outer, place, form, (inner) =>
    drawAll(inner, drawing.placesIn(place, 'structures'), (_, structure) =>
      drawRow(inner, structure, STRUCTURE),
    ),
  );
}
const STRUCTURE = { tagName: 'mj-section', defaults: { padding: '0' } };

function drawRow(outer: Surroundings, place: Place, form: NodeForm): MjmlNode[] {
  const { drawing } = outer;
  const containers = drawing.placesIn(place, 'containers');
  const { isStacked, isReversed } = stackingOf(drawing, place, containers);
  const drawn = isReversed ? containers.toReversed() : containers;
  // Wide windows show the columns of a row in the direction of the row, and narrow windows in the order of the HTML.
  const adjust = ({ direction = drawing.direction, ...attributes }: Record<string, string>) => ({
    ...attributes,
    direction: direction === 'rtl' ? 'ltr' : 'rtl',
  });
  return drawNode(outer, place, { ...form, ...(isReversed && { adjust }) }, (inner) => {
    const columns = shareWidth(
      drawAll({ ...inner, isReversed }, drawn, drawContainer),
      inner.width,
    );
    return isStacked ? columns : [{ tagName: 'mj-group', children: columns }];
  });
}

/** How a row shows its columns in narrow windows. */
function stackingOf(
  drawing: Drawing,
  { node, path }: Place,
  containers: readonly Place[],
): { isStacked: boolean; isReversed: boolean } {
  const mobile = objectIn(node, 'mobile');
  const place = { node, path: `${path}/mobile` };
  const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean';
  const isStacked = drawing.valueOr(true, place, 'stack', mobile['stack'], isBoolean);
  const isReversed = drawing.valueOr(false, place, 'reverse', mobile['reverse'], isBoolean);
  // The data decides how many columns there are, so their order cannot be reversed.
  const isRepeated = containers.some((container) => container.node['repeat'] !== undefined);
  if (isReversed && isRepeated) {
    drawing.warn(place, 'reverse is ignored, because a container is repeated.');
  }
  return { isStacked, isReversed: isStacked && isReversed && !isRepeated };
}

/**
 * A container is one column. If all its blocks are columns, it has these columns side by side. Without properties of
 * its own, the columns replace it.
 */
function drawContainer(outer: Surroundings, place: Place): MjmlNode[] {
  const { drawing } = outer;
  const blocks = drawing.placesIn(place, 'blocks');
  const columns = blocks.filter(({ node }) => missingModule(node) === undefined);
  if (columns.length === 0 || columns.some(({ node }) => node['type'] !== 'column')) {
    return drawNode(outer, place, CONTAINER, (inner) => drawAll(inner, blocks, drawBlock));
  }
  const { styles = {}, mobile, dark } = place.node;
  // Editors store empty strings for properties that are not set.
  const hasStyles =
    isObject(styles) &&
    Object.entries(styles).some(
      ([name, value]) => name !== 'css-class' && value !== '' && value !== null,
    );
  if (!hasStyles && mobile === undefined && dark === undefined) {
    const drawReplacement = (inner: Surroundings, column: Place) =>
      drawColumn(inner, column, 'container').map((each) => withVisibility(drawing, place, each));
    const drawn = outer.isReversed === true ? columns.toReversed() : columns;
    return drawAll(outer, drawn, drawReplacement);
  }
  return drawNode(outer, place, CONTAINER, (inner) => [
    {
      tagName: COLUMNS,
      children: shareWidth(drawAll(inner, columns, (_, column) => drawColumn(inner, column))),
    },
  ]);
}
const CONTAINER = { tagName: 'mj-column', kind: 'container' } as const;

/** @param kind the kind of the container that the column replaces; undefined for a column inside a container. */
function drawColumn(outer: Surroundings, place: Place, kind?: 'container'): MjmlNode[] {
  const form = { tagName: 'mj-column', member: 'props', ...(kind && { kind }) } as const;
  return drawNode(outer, place, form, (inner) => drawBlocks(inner, place));
}

const drawBlocks = (inner: Surroundings, place: Place): MjmlNode[] =>
  drawAll(inner, inner.drawing.placesIn(place, 'blocks'), drawBlock);
