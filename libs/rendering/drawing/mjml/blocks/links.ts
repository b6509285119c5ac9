import { attributesOf } from '../attributes.js';
import { isText, pick, richTextOf, styleBlock, TEXT, type Block } from './block.js';
import { escapeText, textIn } from '../../../document/index.js';
import type { MjmlNode } from '../mjml-node.js';

// cspell:words dribbble soundcloud

const MAX_SHOWN = 100;

// These members of a link are not MJML attributes.
const LINK_MEMBERS = ['content', 'condition', 'repeat'];

// The social networks whose icons MJML has, with the names that screen readers read.
const NETWORKS: Record<string, string> = {
  dribbble: 'Dribbble',
  facebook: 'Facebook',
  github: 'GitHub',
  google: 'Google',
  instagram: 'Instagram',
  linkedin: 'LinkedIn',
  medium: 'Medium',
  pinterest: 'Pinterest',
  snapchat: 'Snapchat',
  soundcloud: 'SoundCloud',
  tumblr: 'Tumblr',
  twitter: 'Twitter',
  vimeo: 'Vimeo',
  web: 'Website',
  x: 'X',
  xing: 'XING',
  youtube: 'YouTube',
};

export function drawSocial(block: Block): MjmlNode {
  const { drawing, place, props } = block;
  const list = { node: props, path: `${place.path}/props` };
  const children = drawing.placesIn(list, 'elements').flatMap((element) => {
    const { name, href, ...others } = element.node;
    const properties = { ...others, name: withoutSharing(name), href: withoutPatterns(href) };
    const tagName = 'mj-social-element';
    const attributes = attributesOf(drawing, element, properties, tagName, LINK_MEMBERS);
    const content = richTextOf({ drawing, place: element }, 'content', element.node['content']);
    const network = textIn(element.node, 'name')?.replace(/-noshare$/, '') ?? '';
    const isKnown = Object.hasOwn(NETWORKS, network);
    if (network !== '' && !isKnown && attributes['src'] === undefined) {
      drawing.warn(element, `There is no icon of ${network.slice(0, MAX_SHOWN)}: set src.`);
    }
    // Without a text, the icon alone has to say where the link leads.
    const alt = isKnown && content === '' ? NETWORKS[network] : undefined;
    return drawing.mark(element, [
      { tagName, attributes: { ...(alt !== undefined && { alt }), ...attributes }, content },
    ]);
  });
  const { attributes } = styleBlock(block, 'social');
  return { tagName: 'mj-social', attributes, children };
}

/**
 * For a name such as `facebook`, MJML would generate a link that shares the URL on that network. The suffix `-noshare`
 * makes MJML link to the URL itself.
 */
const withoutSharing = (name: unknown = ''): unknown =>
  typeof name === 'string' && name !== '' && !name.endsWith('-noshare') ? `${name}-noshare` : name;

/** MJML inserts the URL with `String.replace`, which interprets patterns such as `$&`. */
const withoutPatterns = (href: unknown = ''): unknown =>
  typeof href === 'string' ? href.replaceAll('$', '%24') : href;

export function drawMenu(block: Block): MjmlNode {
  const { drawing, place, props, inherited } = block;
  // Galley joins `base-url` and `href` itself, and checks the result. MJML would join them after the check.
  const base = textIn(props, 'base-url') ?? '';
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
