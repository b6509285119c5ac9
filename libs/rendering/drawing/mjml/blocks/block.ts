import {
  attributesOf,
  attributeTypes,
  backgroundOfBlock,
  defaultAttributes,
} from '../attributes.js';
import {
  asText,
  defaultProperties,
  inherit,
  isObject,
  textStyleNames,
  type Attributes,
  type DocumentNode,
  type Place,
  type StyledNode,
  type TextStyles,
} from '../../../document/index.js';
import { richText, type TextStyle } from '../rich-text.js';
import { textStylesOf, type Surroundings } from '../styles.js';

/** A block, and the styles that apply to it. */
export interface Block extends Surroundings {
  place: Place;
  /** The properties of the block, under their MJML names. */
  props: DocumentNode;
}

/** How the properties of a type of blocks become the attributes of an MJML element. */
export interface BlockForm {
  tagName: string;
  /** The kinds of nodes whose properties in `styles` of the document apply to the block, the most general one first. */
  kinds: readonly StyledNode[];
  /** The text styles that the block inherits from the nodes around it. */
  inherits: readonly (keyof TextStyles)[];
  /** The properties that are not attributes of the MJML element. */
  own: readonly string[];
}

/** The properties of the cells of a table. */
export const CELL_PROPERTIES = [
  'font-weight',
  'vertical-align',
  'cell-padding',
  'row-border',
] as const;
export const TEXT = ['font-family', 'font-size', 'line-height', 'color'] as const;
const IMAGE: BlockForm = { tagName: 'mj-image', kinds: ['image'], inherits: [], own: [] };
const HTML: BlockForm = {
  tagName: 'mj-text',
  kinds: [],
  inherits: TEXT,
  own: ['content', 'link-color'],
};
const MENU: BlockForm = {
  tagName: 'mj-navbar',
  kinds: ['menu'],
  inherits: TEXT,
  own: ['links', 'base-url'],
};

export const blockForms = {
  text: { tagName: 'mj-text', kinds: ['text'], inherits: TEXT, own: ['content', 'link-color'] },
  heading: {
    tagName: 'mj-text',
    kinds: ['heading'],
    inherits: ['font-family', 'color'],
    own: ['content', 'level', 'link-color'],
  },
  list: {
    tagName: 'mj-text',
    kinds: ['list'],
    inherits: TEXT,
    own: ['items', 'ordered', 'link-color'],
  },
  html: HTML,
  raw: HTML,
  image: IMAGE,
  video: { ...IMAGE, own: ['play-button'] },
  countdown: IMAGE,
  divider: { tagName: 'mj-divider', kinds: ['divider'], inherits: [], own: [] },
  spacer: { tagName: 'mj-spacer', kinds: [], inherits: [], own: [] },
  button: {
    tagName: 'mj-button',
    kinds: ['button'],
    inherits: ['font-family'],
    own: ['content'],
  },
  table: {
    tagName: 'mj-table',
    kinds: ['table'],
    inherits: TEXT,
    own: ['header', 'rows', 'columns', ...CELL_PROPERTIES, 'link-color'],
  },
  accordion: {
    tagName: 'mj-accordion',
    kinds: ['accordion'],
    inherits: TEXT,
    own: ['elements', 'link-color'],
  },
  social: { tagName: 'mj-social', kinds: ['social'], inherits: TEXT, own: ['elements'] },
  menu: MENU,
  navbar: MENU,
} as const satisfies Record<string, BlockForm>;
export type BlockType = keyof typeof blockForms;

export const isBlockType = (type: string): type is BlockType => Object.hasOwn(blockForms, type);

/** The level of headings that set none. */
export const DEFAULT_LEVEL = 2;

export const isLevel = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= 1 && (value as number) <= 6;

/** The kinds of nodes whose properties in `styles` of the document apply to a block, the most general one first. */
export function kindsOf(type: BlockType, { level }: DocumentNode): StyledNode[] {
  const { kinds }: BlockForm = blockForms[type];
  if (type !== 'heading') return [...kinds];
  return [...kinds, `heading${isLevel(level) ? level : DEFAULT_LEVEL}` as StyledNode];
}

interface StyledBlock {
  /** The attributes of the MJML element that the head of the MJML does not set. */
  attributes: Record<string, string>;
  /** All properties of the block with their values, including the defaults. */
  properties: Attributes;
  /** The styles of formatted text in the block. */
  textStyle: Pick<TextStyle, 'linkColor' | 'fontSize'>;
}

/** Combines the properties of a block with the defaults, and with what the document and the nodes around it set. */
export function styleBlock(block: Block, type: BlockType): StyledBlock {
  const { drawing, place, props, document, inherited } = block;
  const form: BlockForm = blockForms[type];
  const { tagName, own } = form;
  const kinds = kindsOf(type, props);
  const defaults = defaultAttributes(
    drawing,
    Object.assign({}, ...kinds.map((kind) => defaultProperties[kind])) as Attributes,
    tagName,
  );
  const ofDocument = Object.assign({}, ...kinds.map((kind) => document.own[kind])) as Attributes;
  const fromOutside = pick(inherited, form.inherits);
  const types = attributeTypes(tagName);
  const attributesFromOutside = pick(
    inherited,
    form.inherits.filter((name) => types.has(name)),
  );
  const ofBlock = backgroundOfBlock(attributesOf(drawing, place, props, tagName, own), tagName);
  const ownLink = own.includes('link-color') ? pick(props, ['link-color']) : {};
  const text = inherit(
    { ...inherit(document.text, pick(ofDocument, textStyleNames)), ...inherited },
    { ...pick(ofBlock, textStyleNames), ...textStylesOf(drawing, place, ownLink) },
  );
  const isSetInHead = tagName !== 'mj-text';
  const attributes = isSetInHead
    ? { ...attributesFromOutside, ...ofBlock }
    : { ...(type !== 'text' && defaults), ...ofDocument, ...attributesFromOutside, ...ofBlock };
  return {
    attributes,
    properties: {
      ...pick(document.text, form.inherits),
      ...defaults,
      ...ofDocument,
      ...fromOutside,
      ...ofBlock,
    },
    textStyle: { linkColor: text['link-color'], fontSize: text['font-size'] },
  };
}

/** Returns the members with these names that an object has. */
export const pick = <Key extends string, Value>(
  object: Readonly<Partial<Record<Key, Value>>>,
  names: readonly Key[],
): Partial<Record<Key, Value>> =>
  Object.fromEntries(
    names.flatMap((name) => (object[name] === undefined ? [] : [[name, object[name]]])),
  ) as Partial<Record<Key, Value>>;

export const isText = (value: unknown): value is string | number => asText(value) !== undefined;
export const isList = (value: unknown): value is unknown[] => Array.isArray(value);

/** Sanitises a formatted text of a block. An invalid value causes a warning that names the property. */
export const richTextOf = (
  { drawing, place }: Pick<Block, 'drawing' | 'place'>,
  name: string,
  value: unknown,
  style: Pick<TextStyle, 'linkColor' | 'fontSize'> = {},
): string => {
  const text = String(drawing.valueOr('', place, name, value, isText));
  return richText(text, { ...style, direction: drawing.direction });
};

/**
 * Draws the list in the property `name` as HTML. Each element of the list is either a value for `draw`, or an object
 * that has the value in `member`. Such an object may also have a `condition` and a `repeat`.
 */
export function elementsOf(
  { drawing, place, props }: Block,
  name: string,
  member: string,
  draw: (value: unknown) => string,
): string {
  const elements = drawing.valueOr([], place, name, props[name], isList);
  return elements
    .map((each) => (isObject(each) ? drawing.markText(each, draw(each[member])) : draw(each)))
    .join('');
}
