import { decodeHTML } from 'entities';
import { isNetwork } from '../../icons/index.js';
import { isBaseUrl, type DocumentNode } from '../../document/index.js';
import { elementsIn, parseHtml, textInside } from '../html/parse-html.js';
import { readRichContent } from '../html/rich-content.js';
import { attributesSet } from './element-attributes.js';
import type { MjmlElement } from './mjml-element.js';
import { classInside, type MjmlRun, type Surroundings } from './mjml-run.js';
import { reportRemoved } from './raw.js';

// A link of MJML shares its URL with the readers of these networks. A name that ends with `-noshare` does not.
const SHARE_URLS: Readonly<Record<string, string>> = {
  facebook: 'https://www.facebook.com/sharer/sharer.php?u=[[URL]]',
  google: 'https://plus.google.com/share?url=[[URL]]',
  linkedin: 'https://www.linkedin.com/shareArticle?mini=true&url=[[URL]]&title=&summary=&source=',
  pinterest: 'https://pinterest.com/pin/create/button/?url=[[URL]]&media=&description=',
  tumblr: 'https://www.tumblr.com/widgets/share/tool?canonicalUrl=[[URL]]',
  twitter: 'https://twitter.com/intent/tweet?url=[[URL]]',
  x: 'https://twitter.com/intent/tweet?url=[[URL]]',
  xing: 'https://www.xing.com/app/user?op=share&url=[[URL]]',
};

// The attributes that `mj-social` passes to its links. They win over those that the head sets for all elements.
const PASSED = new Set([
  'padding',
  'border',
  'border-radius',
  'color',
  'font-family',
  'font-size',
  'font-weight',
  'font-style',
  'icon-size',
  'icon-height',
  'icon-padding',
  'text-padding',
  'line-height',
  'text-decoration',
]);

export function importSocial(
  run: MjmlRun,
  element: MjmlElement,
  around: Surroundings,
): DocumentNode {
  run.report.count('social');
  const classAround = classInside(element, around);
  const links = linksIn(run, element, 'mj-social-element').map((link) => {
    const ofAll = Object.entries(run.head.all).filter(([name]) => !PASSED.has(name));
    const own = attributesSet({ ...run.head, all: {} }, link, classAround);
    const attributes = { ...Object.fromEntries(ofAll), ...own };
    return importSocialLink(run, link, attributes, around.path);
  });
  const props = run.node('social', element, run.allAttributes(element, around));
  return { type: 'social', props: Object.assign(props, { elements: links }) };
}

function importSocialLink(
  run: MjmlRun,
  link: MjmlElement,
  { name = '', ...attributes }: Record<string, string>,
  path: string,
): DocumentNode {
  const network = name.replace(/-noshare$/, '');
  const shareUrl = Object.hasOwn(SHARE_URLS, name) ? SHARE_URLS[name] : undefined;
  const { href, src } = attributes;
  const shared = href && shareUrl?.replace('[[URL]]', () => href);
  const { html, htmlTags, removed } = readRichContent(run.styles.inline(link.content));
  reportRemoved(run, link, path, [...htmlTags.map((tag) => `<${tag}>`), ...removed]);
  if (name !== '' && src === undefined && !isNetwork(network)) {
    run.report.add('lost', link.source, `Galley has no icon of ${network}.`, path);
  }
  const properties = run.node('social-link', link, {
    ...attributes,
    ...(shared !== undefined && shared !== '' && { href: shared }),
  });
  return Object.assign(properties, {
    ...(isNetwork(network) && src === undefined && { name: network }),
    ...(html !== '' && { content: html }),
  });
}

export function importMenu(run: MjmlRun, element: MjmlElement, around: Surroundings): DocumentNode {
  run.report.count('menu');
  const inner = {
    ...around,
    classAround: classInside(element, around),
  };
  const links = linksIn(run, element, 'mj-navbar-link').map((link) => {
    const document = parseHtml(link.content);
    const tags = new Set(elementsIn(document).map(({ name }) => `<${name}>`));
    reportRemoved(run, link, around.path, [...tags]);
    const properties = run.node('menu-link', link, run.allAttributes(link, inner));
    return Object.assign(properties, { content: decodeHTML(textInside(document)) });
  });
  // Galley joins the base and the URLs itself.
  const { 'base-url': base, ...attributes } = run.allAttributes(element, around);
  const props = run.node('menu', element, attributes);
  const own = { ...(isBaseUrl(base) && { 'base-url': base }), links };
  return { type: 'menu', props: Object.assign(props, own) };
}

function linksIn(run: MjmlRun, element: MjmlElement, tagName: string): MjmlElement[] {
  return element.children.filter((child) => {
    if (child.tagName === tagName) return true;
    if (child.tagName !== 'mj-raw') {
      run.report.add('lost', child.source, `${child.tagName} is not allowed here.`);
    }
    return false;
  });
}
