import { attributesExcept, attributesOf } from '../attributes.js';
import {
  inherit,
  isObject,
  objectIn,
  type Attributes,
  type DocumentNode,
  type Place,
  type StyledNode,
  type TextStyles,
} from '../../../document/index.js';
import type { Drawing } from '../drawing.js';
import type { MjmlNode } from '../mjml-node.js';
import { textStylesOf, type DocumentStyles, type Surroundings } from '../styles.js';
import type { Occasion, Rule } from './style-sheet.js';
import {
  darkProperties,
  hoverProperties,
  mobileProperties,
  targetsOf,
  type Targets,
} from './targets.js';
import { withVisibility } from './visibility.js';

/** What a node changes in narrow windows, in dark mode, and under the mouse. */
export interface Overrides {
  /** The colour of the links on other occasions. Links of another colour have a colour of their own, and keep it. */
  linkColor?: string | undefined;
  mobile: Attributes;
  /** Also contains the colours of texts, for the nodes inside. */
  dark: Attributes;
  hover: Attributes;
}

const IS_COLOUR = /color$/;
const TEXT_COLOURS = ['color', 'link-color'] as const;
/** The members of `mobile` that are not properties of the MJML element. */
const MOBILE_MEMBERS = ['hide'];
const MOBILE_MEMBERS_OF_ROWS = ['hide', 'stack', 'reverse'];

/**
 * Reads the `mobile`, `dark` and `hover` of a node, and adds what the document sets for these kinds of nodes. The
 * properties of the node itself win over those of the document.
 *
 * @param light the properties of the node on all other occasions, and the text styles that it inherits from nodes.
 */
export function readOverrides(
  { drawing, document, staysLight }: Pick<Surroundings, 'drawing' | 'document' | 'staysLight'>,
  place: Place,
  tagName: string,
  light: DocumentNode,
  kinds: readonly StyledNode[] = [],
): Overrides {
  if (!hasOverrides(document, place)) return NONE;
  const isSet = (name: string) => light[name] !== undefined && light[name] !== '';
  // Colours belong together: a text in a colour for dark mode needs the background for dark mode.
  const hasColours =
    staysLight || Object.keys(light).some((name) => IS_COLOUR.test(name) && isSet(name));
  const isReplaced = (name: string) =>
    isSet(name) ||
    (name.startsWith('padding-') && isSet('padding')) ||
    (hasColours && IS_COLOUR.test(name));
  const ofKinds = (occasion: 'mobile' | 'dark'): Attributes =>
    Object.fromEntries(
      kinds
        .flatMap((kind) => Object.entries(document[occasion].own[kind] ?? {}))
        .filter(([name]) => !isReplaced(name)),
    );
  const read = (occasion: Occasion, names: readonly string[], used: readonly string[] = []) =>
    overridesIn(drawing, place, occasion, tagName, names, used);
  return {
    mobile: mergePaddings(
      ofKinds('mobile'),
      read(
        'mobile',
        mobileProperties(tagName),
        tagName === 'mj-section' ? MOBILE_MEMBERS_OF_ROWS : MOBILE_MEMBERS,
      ),
    ),
    dark: { ...ofKinds('dark'), ...read('dark', darkProperties(tagName)) },
    hover: read('hover', hoverProperties(tagName)),
  };
}

export const NONE: Overrides = { mobile: {}, dark: {}, hover: {} };

/**
 * Whether a node may look different in narrow windows, in dark mode or under the mouse, because of its own properties or
 * those of the document. Most documents have no overrides, so this check saves time.
 */
export const hasOverrides = ({ mobile, dark }: DocumentStyles, { node }: Place): boolean =>
  node['mobile'] !== undefined ||
  node['dark'] !== undefined ||
  node['hover'] !== undefined ||
  Object.keys(mobile.own).length > 0 ||
  Object.keys(dark.own).length > 0;

/** Adds properties to others. A padding of all sides replaces those of single sides. */
const mergePaddings = (outer: Attributes, own: Attributes): Attributes => {
  const isReplaced = (name: string) => own['padding'] !== undefined && name.startsWith('padding-');
  const kept = Object.entries(outer).filter(([name]) => !isReplaced(name));
  return { ...Object.fromEntries(kept), ...own };
};

/** Reads the properties that a node has on an occasion. Invalid values and other properties cause warnings. */
function overridesIn(
  drawing: Drawing,
  { node, path }: Place,
  occasion: Occasion,
  tagName: string,
  names: readonly string[],
  used: readonly string[] = [],
): Attributes {
  const value = node[occasion];
  if (value === undefined) return {};
  const place = { node, path: `${path}/${occasion}` };
  if (!isObject(value)) {
    drawing.warn(place, `${occasion} has an invalid value, and is ignored.`);
    return {};
  }
  const isDark = occasion === 'dark';
  const others = attributesExcept(tagName, names);
  const colours = isDark ? TEXT_COLOURS.filter((name) => names.includes(name)) : [];
  const attributes = attributesOf(drawing, place, value, tagName, [...used, ...colours], others);
  if (!isDark) return attributes;
  const texts = Object.fromEntries(colours.map((name) => [name, value[name]]));
  return { ...attributes, ...textStylesOf(drawing, place, texts) };
}

/**
 * What applies inside a node in dark mode. A part that sets colours, but none for dark mode, stays light, and so do the
 * texts inside.
 */
export function darkInside(
  outer: Pick<Surroundings, 'dark' | 'staysLight'>,
  dark: Attributes,
  light: DocumentNode,
): Pick<Surroundings, 'dark' | 'staysLight'> {
  const own: Partial<TextStyles> = pickColours(dark);
  const sets = (properties: DocumentNode | Attributes) =>
    ['color', ...BACKGROUNDS].some((name) => Boolean(properties[name]));
  if (sets(dark)) return { dark: inherit(outer.dark, own), staysLight: false };
  if (sets(light)) return { dark: own, staysLight: true };
  return { dark: inherit(outer.dark, own), staysLight: outer.staysLight };
}

const BACKGROUNDS = ['background-color', 'inner-background-color', 'container-background-color'];

const pickColours = (attributes: Attributes): Partial<TextStyles> =>
  Object.fromEntries(
    TEXT_COLOURS.flatMap((name) => (attributes[name] ? [[name, attributes[name]]] : [])),
  );

/** Adds the classes of the rules that make the overrides effective. */
export function withOverrides(
  drawing: Drawing,
  place: Place,
  element: MjmlNode,
  { mobile, dark, hover, linkColor }: Overrides,
): MjmlNode[] {
  const mobilePlace = { node: place.node, path: `${place.path}/mobile` };
  const { hide } = objectIn(place.node, 'mobile');
  const isHidden = drawing.valueOr(false, mobilePlace, 'hide', hide, isBoolean);
  const shown = withVisibility(drawing, place, element, isHidden);
  // An `mj-raw` element is a comment in place of a node that Galley cannot draw.
  if (shown.tagName === 'mj-raw') return [shown];
  const targets = targetsOf(element, place.node['type']);
  // The colours under the mouse do not fit to those for dark mode.
  const hasDark = Object.keys(dark).some((name) => targets[name] !== undefined);
  const byOccasion = { mobile, dark, [hasDark ? 'hover-light' : 'hover']: hover };
  const rules = Object.entries(byOccasion).flatMap(([occasion, attributes]) =>
    rulesOf(occasion as Occasion, attributes, targets, linkColor),
  );
  const drawn = rules.length === 0 ? shown : withClass(shown, drawing.styleSheet.classOf(rules));
  const { src } = dark;
  if (src === undefined) return [drawn];
  drawing.styleSheet.hasDarkImages = true;
  return [
    withClass(drawn, 'galley-light-only'),
    withClass({ ...drawn, attributes: { ...drawn.attributes, src } }, 'galley-dark-only'),
  ];
}

/** Returns one rule for each list of selectors. */
function rulesOf(
  occasion: Occasion,
  attributes: Attributes,
  targets: Targets,
  linkColor = '',
): Rule[] {
  const rules = new Map<string, Rule & { declarations: string[] }>();
  // In alphabetical order, a padding of all sides comes before those of single sides.
  for (const [name, value] of Object.entries(attributes).sort(([a], [b]) => (a < b ? -1 : 1))) {
    const target = targets[name];
    if (target === undefined) continue;
    const isColourOfLinks = IS_COLOUR.test(name);
    const selectors = target.selectors.map((selector) => {
      if (occasion.startsWith('hover')) return selector.replace('>tr>', '>tr:hover>');
      return selector === ' a' && isColourOfLinks ? ` a[style*="color:${linkColor}"]` : selector;
    });
    const key = selectors.join(',');
    const rule = rules.get(key) ?? { occasion, selectors, declarations: [] };
    rule.declarations.push(...(target.css?.(value) ?? [`${name}:${value}`]));
    rules.set(key, rule);
  }
  return [...rules.values()];
}

const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean';

function withClass(element: MjmlNode, name: string): MjmlNode {
  const { 'css-class': others, ...attributes } = element.attributes ?? {};
  const classes = [others, name].filter(Boolean).join(' ');
  return { ...element, attributes: { ...attributes, 'css-class': classes } };
}
