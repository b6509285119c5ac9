import { attributesExcept, attributesOf } from '../attributes.js';
import {
  inherit,
  isObject,
  type Attributes,
  type DocumentNode,
  type Place,
  type StyledNode,
  type TextStyles,
} from '../../../document/index.js';
import type { Drawing } from '../drawing.js';
import type { MjmlNode } from '../mjml-node.js';
import { textStylesOf, type Surroundings } from '../styles.js';
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
  mobile: Attributes;
  /** Also contains the colours of texts, for the nodes inside. */
  dark: Attributes;
  hover: Attributes;
}

const IS_COLOUR = /color$/;
const TEXT_COLOURS = ['color', 'link-color'] as const;
/** The members of `mobile` that are not properties of the MJML element. */
const MOBILE_MEMBERS = ['hide', 'stack', 'reverse'];

/**
 * Reads the `mobile`, `dark` and `hover` of a node, and adds what the document sets for these kinds of nodes. The
 * properties of the node itself win over those of the document.
 *
 * @param light the properties of the node on all other occasions, and the text styles that it inherits from nodes.
 */
export function readOverrides(
  { drawing, document }: Pick<Surroundings, 'drawing' | 'document'>,
  place: Place,
  tagName: string,
  light: DocumentNode,
  kinds: readonly StyledNode[] = [],
): Overrides {
  const isSet = (name: string) => light[name] !== undefined && light[name] !== '';
  // Colours belong together: a text in a colour for dark mode needs the background for dark mode.
  const hasColours = Object.keys(light).some((name) => IS_COLOUR.test(name) && isSet(name));
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
    mobile: {
      ...ofKinds('mobile'),
      ...read('mobile', mobileProperties(tagName), MOBILE_MEMBERS),
    },
    dark: { ...ofKinds('dark'), ...read('dark', darkProperties(tagName)) },
    hover: read('hover', hoverProperties(tagName)),
  };
}

/** Reads the properties that a node has on an occasion. Invalid values and other properties cause warnings. */
export function overridesIn(
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

/** The colours of texts inside a node in dark mode. A part that stays light keeps its own colours of texts. */
export function darkTextsInside(
  outer: Surroundings,
  dark: Attributes,
  light: DocumentNode,
): Surroundings['dark'] {
  const own: Partial<TextStyles> = pickColours(dark);
  const sets = (properties: DocumentNode | Attributes, ...names: string[]) =>
    names.some((name) => Boolean(properties[name]));
  const backgrounds = ['background-color', 'inner-background-color', 'container-background-color'];
  const staysLight = sets(light, 'color', ...backgrounds) && !sets(dark, 'color', ...backgrounds);
  return staysLight ? own : inherit(outer.dark, own);
}

const pickColours = (attributes: Attributes): Partial<TextStyles> =>
  Object.fromEntries(
    TEXT_COLOURS.flatMap((name) => (attributes[name] ? [[name, attributes[name]]] : [])),
  );

/** Adds the classes of the rules that make the overrides effective. */
export function withOverrides(
  drawing: Drawing,
  place: Place,
  element: MjmlNode,
  { mobile, dark, hover }: Overrides,
): MjmlNode[] {
  const isHidden = isObject(place.node['mobile']) && place.node['mobile']['hide'] === true;
  const shown = withVisibility(drawing, place, element, isHidden);
  // An `mj-raw` element is a comment in place of a node that Galley cannot draw.
  if (shown.tagName === 'mj-raw') return [shown];
  const targets = targetsOf(element, place.node['type']);
  // The colours under the mouse do not fit to those for dark mode.
  const hasDark = Object.keys(dark).some((name) => targets[name] !== undefined);
  const byOccasion = { mobile, dark, [hasDark ? 'hover-light' : 'hover']: hover };
  const rules = Object.entries(byOccasion).flatMap(([occasion, attributes]) =>
    rulesOf(occasion as Occasion, attributes, targets),
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
function rulesOf(occasion: Occasion, attributes: Attributes, targets: Targets): Rule[] {
  const rules = new Map<string, Rule & { declarations: string[] }>();
  for (const [name, value] of Object.entries(attributes)) {
    const target = targets[name];
    if (target === undefined) continue;
    const selectors = target.selectors.map((selector) =>
      occasion.startsWith('hover') ? selector.replace('>tr>', '>tr:hover>') : selector,
    );
    const key = selectors.join(',');
    const rule = rules.get(key) ?? { occasion, selectors, declarations: [] };
    rule.declarations.push(...(target.css?.(value) ?? [`${name}:${value}`]));
    rules.set(key, rule);
  }
  return [...rules.values()];
}

function withClass(element: MjmlNode, name: string): MjmlNode {
  const { 'css-class': others, ...attributes } = element.attributes ?? {};
  const classes = [others, name].filter(Boolean).join(' ');
  return { ...element, attributes: { ...attributes, 'css-class': classes } };
}
