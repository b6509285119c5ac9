import { defaultAttributes } from './attributes.js';
import { CELL_PROPERTIES, TEXT } from './blocks/block.js';
import {
  defaultProperties,
  styledNodes,
  type Attributes,
  type StyledNode,
} from '../../document/index.js';
import type { Drawing } from './drawing.js';
import type { MjmlNode } from './mjml-node.js';
import type { DocumentStyles } from './styles.js';

/**
 * Returns the head element that sets the attributes of all elements with one name. Texts, headings and lists are all
 * `mj-text`, so `styleBlock` sets the attributes in which they differ.
 */
export function attributesOfElements(
  drawing: Drawing,
  { text, own }: DocumentStyles,
  body: readonly MjmlNode[],
): MjmlNode {
  const { 'font-family': family, 'link-color': _links, ...others } = text;
  // MJML draws from left to right by default.
  const direction: Attributes = drawing.direction === 'rtl' ? { direction: 'rtl' } : {};
  const defaultsOf = (defaults: Attributes, tagName: string) =>
    defaultAttributes(drawing, defaults, tagName);
  const all: Record<string, Attributes> = {
    'mj-all': { 'font-family': family },
    'mj-wrapper': direction,
    'mj-section': direction,
    'mj-column': direction,
    'mj-text': {
      ...defaultsOf({ align: 'start', ...defaultProperties.text }, 'mj-text'),
      ...others,
    },
    'mj-table': { ...defaultsOf({ align: 'start' }, 'mj-table'), ...others },
    'mj-accordion-title': { 'font-weight': 'bold', padding: '12px 16px' },
    'mj-accordion-text': { padding: '12px 16px 16px' },
    'mj-social': others,
    'mj-navbar-link': { ...others, padding: '8px 12px', 'text-transform': 'none' },
  };
  for (const [kind, tagName] of Object.entries(styledNodes)) {
    // Columns inside a container do not have the properties of containers, and structures not those of stripes.
    if (['mj-text', 'mj-column', 'mj-section'].includes(tagName)) continue;
    const node = kind as StyledNode;
    const defaults = defaultsOf(defaultProperties[node], tagName);
    all[tagName] = { ...all[tagName], ...defaults, ...without(ofParts[tagName], own[node]) };
  }
  const used = new Set(['mj-all']);
  addTagNames(body, used);
  const children = Object.entries(all)
    .filter(([tagName, attributes]) => used.has(tagName) && Object.keys(attributes).length > 0)
    .map(([tagName, attributes]) => ({ tagName, attributes: { ...attributes } }));
  return { tagName: 'mj-attributes', children };
}

/** The properties that the functions that draw these elements set on their parts. */
const ofParts: Partial<Record<string, readonly string[]>> = {
  'mj-table': CELL_PROPERTIES,
  'mj-accordion': TEXT,
};

const without = (names: readonly string[] = [], properties: Attributes = {}): Attributes =>
  Object.fromEntries(Object.entries(properties).filter(([name]) => !names.includes(name)));

function addTagNames(nodes: readonly MjmlNode[], names: Set<string>): void {
  for (const { tagName, children = [] } of nodes) {
    names.add(tagName);
    addTagNames(children, names);
  }
}
