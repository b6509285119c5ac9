import { attributeTypes } from '../attributes.js';
import type { MjmlNode } from '../mjml-node.js';

/** Where a property of a node takes effect: the HTML elements that the property styles. */
interface Target {
  /** The selectors, which are appended to the class of the node, such as `>table`. */
  selectors: readonly string[];
  /** The CSS declarations for a value; by default, the property with this value. */
  css?: (value: string) => string[];
}
export type Targets = Readonly<Record<string, Target>>;

const SIDES = ['', '-top', '-right', '-bottom', '-left'];
const at = (...selectors: string[]): Target => ({ selectors });
const as = (property: string, ...selectors: string[]): Target => ({
  selectors,
  css: (value) => [`${property}:${value}`],
});
const padding = (name: string, ...selectors: string[]): Targets =>
  Object.fromEntries(SIDES.map((side) => [name + side, as(`padding${side}`, ...selectors)]));

// MJML draws a block as a table cell. The cell has the node's class, so an empty selector matches the cell.
const BLOCK: Targets = {
  ...padding('padding', ''),
  'container-background-color': as('background-color', ''),
};
const textIn = (...selectors: string[]): Targets => ({
  'font-size': at(...selectors),
  'line-height': at(...selectors),
  color: at(...selectors),
});
const TEXT: Targets = {
  ...BLOCK,
  ...textIn('>div'),
  align: as('text-align', '>div'),
  'background-color': at(''),
  'link-color': as('color', ' a'),
};
const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((name) => `>div>${name}`);

/** Aligns the table inside a block. */
const ALIGN_TABLE: Target = {
  selectors: ['>table'],
  css: (value) => [
    `margin-left:${value === 'left' ? '0' : 'auto'}`,
    `margin-right:${value === 'right' ? '0' : 'auto'}`,
  ],
};
const CELL = '>table>tbody>tr>td';
const LABELS = [`${CELL}>a`, `${CELL}>p`];

const IMAGE: Targets = {
  ...BLOCK,
  align: ALIGN_TABLE,
  width: at('>table', CELL),
  height: at(' img'),
};
const VIDEO: Targets = {
  ...IMAGE,
  height: {
    selectors: [`${CELL}>a`],
    css: (value) => [`line-height:${value === 'auto' ? '50vw' : value}`],
  },
};

const BLOCKS: Readonly<Record<string, Targets>> = {
  'mj-text': TEXT,
  'mj-image': IMAGE,
  'mj-button': {
    ...BLOCK,
    ...textIn(...LABELS),
    ...padding('inner-padding', ...LABELS),
    align: ALIGN_TABLE,
    width: at('>table'),
    'background-color': as('background', CELL, ...LABELS),
  },
  'mj-divider': {
    ...BLOCK,
    width: at('>p'),
    'border-color': as('border-top-color', '>p'),
    'border-width': as('border-top-width', '>p'),
  },
  'mj-spacer': {
    ...BLOCK,
    height: { selectors: ['>div'], css: (value) => [`height:${value}`, `line-height:${value}`] },
  },
  'mj-table': { ...BLOCK, ...textIn('>table'), 'link-color': as('color', ' a') },
  'mj-accordion': { ...BLOCK, ...textIn(' td'), 'link-color': as('color', ' a') },
  'mj-social': { ...BLOCK, ...textIn(' a'), align: as('text-align', '') },
  'mj-navbar': { ...BLOCK, ...textIn(' a'), align: as('text-align', '') },
};

const SECTION: Targets = {
  ...padding('padding', CELL),
  'text-align': at(CELL),
  'background-color': at('', '>table'),
};
const FULL_WIDTH_SECTION: Targets = {
  ...padding('padding', `>tbody>tr>td>div${CELL}`),
  'text-align': at(`>tbody>tr>td>div${CELL}`),
  'background-color': at(''),
};
const HERO: Targets = {
  ...padding('padding', CELL),
  height: at(CELL),
  'background-color': at(CELL),
};
// The padding of a column needs a cell, which MJML draws only for a column that has a padding.
const COLUMN: Targets = {
  ...Object.fromEntries(
    SIDES.map((side) => [
      `padding${side}`,
      {
        selectors: [''],
        css: (value: string) => [`padding${side}:${value}`, 'box-sizing:border-box'],
      },
    ]),
  ),
  width: at(''),
  'background-color': at('>table'),
};
const PADDED_COLUMN: Targets = {
  ...padding('padding', CELL),
  width: at(''),
  'background-color': at(CELL),
  'inner-background-color': as('background-color', `${CELL}>table`),
};

/**
 * The properties of an element that may have another value on an `Occasion`, with the HTML elements that each one
 * styles.
 */
export function targetsOf(
  { tagName, attributes = {} }: Pick<MjmlNode, 'tagName' | 'attributes'>,
  nodeType?: unknown,
): Targets {
  switch (tagName) {
    case 'mj-section':
    case 'mj-wrapper':
      return attributes['full-width'] === undefined ? SECTION : FULL_WIDTH_SECTION;
    case 'mj-hero':
      return HERO;
    case 'mj-column':
      return Object.keys(attributes).some((name) => name.startsWith('padding'))
        ? PADDED_COLUMN
        : COLUMN;
    case 'mj-image':
      return attributes['play-button'] === undefined ? IMAGE : VIDEO;
    case 'mj-text':
      return nodeType === 'heading' ? HEADING : TEXT;
    default:
      return BLOCKS[tagName] ?? {};
  }
}

// Galley gives the heading inside the text its sizes.
const HEADING: Targets = {
  ...TEXT,
  'font-size': at('>div', ...HEADINGS),
  'line-height': at('>div', ...HEADINGS),
};

const COLOURS = /color$/;
const CONTAINERS = ['mj-wrapper', 'mj-section', 'mj-hero', 'mj-column'];

/** Remembers the names for each element, because every node of a document asks for them. */
function byElement(namesOf: (tagName: string) => string[]): (tagName: string) => readonly string[] {
  const known = new Map<string, string[]>();
  return (tagName) => {
    const names = known.get(tagName) ?? namesOf(tagName);
    known.set(tagName, names);
    return names;
  };
}

/** The names of the properties of an element that may differ in dark mode. */
export const darkProperties = byElement((tagName) => [
  ...propertiesOf(tagName).filter((name) => COLOURS.test(name)),
  // The texts inside inherit these colours.
  ...(CONTAINERS.includes(tagName) ? ['color', 'link-color'] : []),
  ...(tagName === 'mj-image' ? ['src'] : []),
]);

/** The names of the properties of an element that may differ under the mouse. */
export const hoverProperties = byElement((tagName) =>
  tagName === 'mj-button' ? ['background-color', 'color'] : [],
);

/** The names of the properties of an element that may differ in narrow windows. */
export const mobileProperties = byElement((tagName) =>
  propertiesOf(tagName).filter((name) => !COLOURS.test(name) && attributeTypes(tagName).has(name)),
);

const propertiesOf = (tagName: string): string[] => Object.keys(targetsOf({ tagName }));
