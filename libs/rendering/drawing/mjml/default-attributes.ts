import { defaultAttributes } from './attributes.js';
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
export function attributesOfElements(drawing: Drawing, { text, own }: DocumentStyles): MjmlNode {
  const { 'font-family': family, 'link-color': _links, ...others } = text;
  const { direction } = drawing;
  const defaultsOf = (defaults: Attributes, tagName: string) =>
    defaultAttributes(drawing, defaults, tagName);
  const all: Record<string, Attributes> = {
    'mj-all': { 'font-family': family },
    'mj-section': { direction },
    'mj-column': { direction },
    'mj-text': {
      ...defaultsOf({ align: 'start', ...defaultProperties.text }, 'mj-text'),
      ...others,
    },
    'mj-table': { ...defaultsOf({ align: 'start' }, 'mj-table'), ...others },
    'mj-social': others,
    'mj-navbar-link': { ...others, padding: '8px 12px', 'text-transform': 'none' },
  };
  for (const [kind, tagName] of Object.entries(styledNodes)) {
    if (tagName === 'mj-text') continue;
    const node = kind as StyledNode;
    const defaults = defaultsOf(defaultProperties[node], tagName);
    all[tagName] = { ...all[tagName], ...defaults, ...own[node] };
  }
  const children = Object.entries(all)
    .filter(([, attributes]) => Object.keys(attributes).length > 0)
    .map(([tagName, attributes]) => ({ tagName, attributes: { ...attributes } }));
  return { tagName: 'mj-attributes', children };
}
