import {
  attributesExcept,
  attributesOf,
  attributeTypes,
  backgroundOfBlock,
  isDrawable,
  textOf,
} from './attributes.js';
import { darkProperties, mobileProperties } from './overrides/targets.js';
import { withWholePadding } from './widths.js';
import {
  BLOCK_PADDING,
  CONTENT_WIDTHS,
  DEFAULT_WIDTH,
  defaultProperties,
  defaultTextStyles,
  escapeText,
  FONT_SIZES,
  inherit,
  isObject,
  LINE_HEIGHTS,
  objectIn,
  propertiesOfOneNode,
  styledNodes,
  textStyleNames,
  type Attributes,
  type DocumentNode,
  type Place,
  type StyledNode,
  type TextStyles,
} from '../../document/index.js';
import type { Drawing } from './drawing.js';

/** The styles that apply to a whole document. */
export interface DocumentStyles {
  /** The width of the content, in pixels. */
  width: number;
  text: TextStyles;
  /** The properties that the document sets for all nodes of a kind, such as buttons. */
  own: PropertiesByKind;
  /** The properties for narrow windows. */
  mobile: { own: PropertiesByKind };
  /** The properties for dark mode. */
  dark: { own: PropertiesByKind; text: Partial<TextStyles>; background: string | undefined };
}
type PropertiesByKind = Partial<Record<StyledNode, Attributes>>;

/** What applies to the nodes inside a node. */
export interface Surroundings {
  drawing: Drawing;
  document: DocumentStyles;
  /** The text styles that the enclosing nodes set. */
  inherited: Partial<TextStyles>;
  /** The colours of texts in dark mode. */
  dark: Partial<TextStyles>;
  /** Whether an enclosing node sets colours but none for dark mode. The nodes inside then keep their light colours. */
  staysLight: boolean;
  /** Whether the columns of the row are drawn from the last to the first. */
  isReversed?: boolean;
  /** The width inside the enclosing nodes, in pixels; undefined if it is not known. */
  width?: number | undefined;
}

// The members of `styles` of a document that set text styles.
const MEMBERS: Record<keyof TextStyles, string> = {
  'font-family': 'fontFamily',
  'font-size': 'fontSize',
  'line-height': 'lineHeight',
  color: 'textColor',
  'link-color': 'linkColor',
};

/** Warns of the members of an object that have none of the names. */
function warnOfOthers(
  drawing: Drawing,
  place: Place,
  properties: DocumentNode,
  names: readonly string[],
): void {
  const others = Object.keys(properties).filter((name) => !names.includes(name));
  if (others.length === 0) return;
  drawing.warn(place, `${others.join(', ').slice(0, MAX_SHOWN)}: not a property of all nodes.`);
}

const MAX_SHOWN = 500;
const KINDS = Object.keys(styledNodes);
const DARK_MEMBERS = ['backgroundColor', 'textColor', 'linkColor', ...KINDS];
const MEMBERS_OF_STYLES = [
  'contentWidth',
  'backgroundColor',
  ...Object.values(MEMBERS),
  'mobile',
  'dark',
  ...KINDS,
];

/** Reads the `styles` of a document. Invalid values cause warnings. */
export function readStyles(drawing: Drawing, document: DocumentNode): DocumentStyles {
  const styles = objectIn(document, 'styles');
  const ofDocument = { node: {}, path: '/styles' };
  const { fontFamily, textColor, linkColor } = styles;
  const fontSize = drawing.valueOr(
    undefined,
    ofDocument,
    'fontSize',
    styles['fontSize'],
    isFontSize,
  );
  const lineHeight = drawing.valueOr(
    undefined,
    ofDocument,
    'lineHeight',
    styles['lineHeight'],
    isLineHeight,
  );
  const text = {
    'font-family': fontFamily,
    'font-size': fontSize && `${fontSize}px`,
    'line-height': lineHeight,
    color: textColor,
    'link-color': linkColor,
  };
  const mobile = drawing.valueOr({}, ofDocument, 'mobile', styles['mobile'], isObject);
  const dark = drawing.valueOr({}, ofDocument, 'dark', styles['dark'], isObject);
  const inDark = { node: dark, path: '/styles/dark' };
  const background = { 'background-color': dark['backgroundColor'] ?? '' };
  const darkTexts = { color: dark['textColor'], 'link-color': dark['linkColor'] };
  const inMobile = { node: mobile, path: '/styles/mobile' };
  warnOfOthers(drawing, ofDocument, styles, MEMBERS_OF_STYLES);
  warnOfOthers(drawing, inMobile, mobile, KINDS);
  warnOfOthers(drawing, inDark, dark, DARK_MEMBERS);
  return {
    width: drawing.valueOr(
      DEFAULT_WIDTH,
      ofDocument,
      'contentWidth',
      styles['contentWidth'],
      isWidth,
    ),
    text: inherit(defaultTextStyles, textStylesOf(drawing, ofDocument, text, MEMBERS)),
    own: readKinds(drawing, styles, '/styles'),
    mobile: { own: readKinds(drawing, mobile, '/styles/mobile', mobileProperties) },
    dark: {
      own: readKinds(drawing, dark, '/styles/dark', darkProperties),
      text: inherit({}, textStylesOf(drawing, inDark, darkTexts, MEMBERS)),
      background: attributesOf(drawing, inDark, background, 'mj-body')['background-color'],
    },
  };
}

/** The padding of a kind of nodes before the document sets one for this kind. */
function paddingAround(own: PropertiesByKind, kind: string): string {
  const general = kind.startsWith('heading') ? 'heading' : kind;
  const { padding } = {
    ...defaultProperties[general as StyledNode],
    ...own[general as StyledNode],
  };
  return padding ?? (styledNodes[kind as StyledNode] === 'mj-text' ? BLOCK_PADDING : '0');
}

/**
 * Reads the properties that a document sets for all nodes of a kind.
 *
 * @param namesOf returns the properties that the nodes may have, by MJML element; by default, all.
 */
function readKinds(
  drawing: Drawing,
  styles: DocumentNode,
  path: string,
  namesOf?: (tagName: string) => readonly string[],
): PropertiesByKind {
  const own: PropertiesByKind = {};
  for (const [kind, tagName] of Object.entries(styledNodes)) {
    if (styles[kind] === undefined) continue;
    const properties = drawing.valueOr({}, { node: {}, path }, kind, styles[kind], isObject);
    const others = namesOf ? attributesExcept(tagName, namesOf(tagName)) : [];
    const except = [...propertiesOfOneNode, ...others];
    const place = { node: {}, path: `${path}/${kind}` };
    const attributes = attributesOf(drawing, place, properties, tagName, [], except);
    const drawn = backgroundOfBlock(attributes, tagName);
    own[kind as StyledNode] = namesOf ? drawn : withWholePadding(drawn, paddingAround(own, kind));
  }
  return own;
}

const isWidth = (value: unknown): value is number => isNumber(value, CONTENT_WIDTHS);
const isNumber = (value: unknown, [least, most]: readonly [number, number]): value is number =>
  typeof value === 'number' && value >= least && value <= most;
const isFontSize = (value: unknown): value is number => isNumber(value, FONT_SIZES);
const isLineHeight = (value: unknown): value is number => isNumber(value, LINE_HEIGHTS);

/**
 * Returns the text styles that a node sets for itself and the nodes inside it, escaped. Invalid values cause warnings.
 *
 * @param members the names of the styles in warnings, if they differ from the names of the properties.
 */
export function textStylesOf(
  drawing: Drawing,
  place: Place,
  properties: DocumentNode,
  members?: Record<keyof TextStyles, string>,
): Partial<TextStyles> {
  const styles: Partial<TextStyles> = {};
  for (const name of textStyleNames) {
    const value = properties[name];
    // Editors store empty strings for properties that are not set.
    if (value === undefined || value === '' || value === null) continue;
    const attribute = name === 'link-color' ? 'color' : name;
    const text = textOf(value, attributeTypes('mj-text').get(attribute));
    if (isDrawable('mj-text', attribute, text)) {
      styles[name] = escapeText(name === 'font-family' ? drawing.fonts.stackOf(text) : text);
    } else drawing.warn(place, `${members?.[name] ?? name} has an invalid value, and is ignored.`);
  }
  return styles;
}
