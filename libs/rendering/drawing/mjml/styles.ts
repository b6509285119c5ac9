import { attributesOf, isDrawable } from './attributes.js';
import {
  asText,
  defaultTextStyles,
  escapeText,
  inherit,
  isObject,
  objectIn,
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
  text: TextStyles;
  /** The properties that the document sets for all nodes of a kind, such as buttons. */
  own: Partial<Record<StyledNode, Attributes>>;
}

// The members of `styles` of a document that set text styles.
const MEMBERS: Record<keyof TextStyles, string> = {
  'font-family': 'fontFamily',
  'font-size': 'fontSize',
  'line-height': 'lineHeight',
  color: 'textColor',
  'link-color': 'linkColor',
};

/** Reads the `styles` of a document. Invalid values cause warnings. */
export function readStyles(drawing: Drawing, document: DocumentNode): DocumentStyles {
  const styles = objectIn(document, 'styles');
  const { fontSize } = styles;
  const text = Object.fromEntries(
    Object.entries(MEMBERS).map(([name, member]) => [name, styles[member]]),
  );
  if (typeof fontSize === 'number') text['font-size'] = `${fontSize}px`;
  const own: Partial<Record<StyledNode, Attributes>> = {};
  for (const [kind, tagName] of Object.entries(styledNodes)) {
    const properties = styles[kind];
    if (!isObject(properties)) continue;
    const place = { node: {}, path: `/styles/${kind}` };
    own[kind as StyledNode] = attributesOf(drawing, place, properties, tagName);
  }
  const place = { node: {}, path: '/styles' };
  return { text: inherit(defaultTextStyles, textStylesOf(drawing, place, text, MEMBERS)), own };
}

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
    const text = asText(value)?.trim() ?? '';
    if (isDrawable('mj-text', name === 'link-color' ? 'color' : name, text)) {
      styles[name] = escapeText(text);
    } else drawing.warn(place, `${members?.[name] ?? name} has an invalid value, and is ignored.`);
  }
  return styles;
}
