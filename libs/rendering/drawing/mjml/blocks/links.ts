import { attributesOf } from '../attributes.js';
import { isText, pick, richTextOf, styleBlock, TEXT, type Block } from './block.js';
import {
  escapeText,
  textIn,
  type Attributes,
  type Place,
  isBaseUrl,
} from '../../../document/index.js';
import { isNetwork, networks } from '../../../icons/index.js';
import type { Drawing } from '../drawing.js';
import type { MjmlNode } from '../mjml-node.js';

const MAX_SHOWN = 100;

// These members of a link are not MJML attributes.
const LINK_MEMBERS = ['content', 'condition', 'repeat'];

export function drawSocial(block: Block): MjmlNode {
  const { drawing, place, props } = block;
  const list = { node: props, path: `${place.path}/props` };
  const children = drawing.placesIn(list, 'elements').flatMap((element) => {
    const tagName = 'mj-social-element';
    const own = attributesOf(drawing, element, element.node, tagName, [...LINK_MEMBERS, 'name']);
    const content = richTextOf({ drawing, place: element }, 'content', element.node['content']);
    const attributes = { ...iconAttributes(drawing, element, own['src'], content !== ''), ...own };
    return drawing.mark(element, [{ tagName, attributes, content }]);
  });
  const { attributes } = styleBlock(block, 'social');
  return { tagName: 'mj-social', attributes, children };
}

/** Returns the attributes that the `name` of a link in a social block sets. */
function iconAttributes(
  drawing: Drawing,
  element: Place,
  src: string | undefined,
  hasText: boolean,
): Attributes {
  // MJML's names may end with `-noshare`, for a link to the URL itself. Galley always links to the URL itself.
  const name = textIn(element.node, 'name')?.replace(/-noshare$/, '') ?? '';
  if (!isNetwork(name)) {
    if (name !== '' && src === undefined) {
      drawing.warn(element, `There is no icon of ${name.slice(0, MAX_SHOWN)}: set src.`);
    }
    return hasText || name === '' ? {} : { alt: escapeText(name.slice(0, MAX_SHOWN)) };
  }
  const { title, color } = networks[name];
  return {
    ...(src === undefined && { src: escapeText(drawing.iconUrl(name)) }),
    'background-color': color,
    // Without a text, the icon alone has to say where the link leads.
    ...(!hasText && { alt: title }),
  };
}

export function drawMenu(block: Block): MjmlNode {
  const { drawing, place, props, inherited } = block;
  // Galley joins `base-url` and `href` itself, and checks the result. MJML would join them after the check.
  const base = drawing.valueOr('', place, 'base-url', props['base-url'], isBaseUrl);
  const list = { node: props, path: `${place.path}/props` };
  const children = drawing.placesIn(list, 'links').flatMap((link) => {
    const { href, ...others } = link.node;
    const properties = { ...others, href: typeof href === 'string' ? base + href : (href ?? '') };
    const tagName = 'mj-navbar-link';
    const attributes = {
      ...pick(inherited, TEXT),
      ...attributesOf(drawing, link, properties, tagName, LINK_MEMBERS),
    };
    const label = drawing.valueOr('', link, 'content', link.node['content'], isText);
    return drawing.mark(link, [{ tagName, attributes, content: escapeText(String(label)) }]);
  });
  const { attributes } = styleBlock(block, 'menu');
  return { tagName: 'mj-navbar', attributes, children };
}
