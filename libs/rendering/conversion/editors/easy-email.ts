import { isObject, type DocumentNode } from '../../document/index.js';
import type { MjmlElement } from '../mjml/mjml-element.js';
import { parseMjml } from '../mjml/parse-mjml.js';
import { NotImportable } from '../not-importable.js';
import type { Report } from '../report.js';
import { at, objectsIn, Tree, type Attributes } from './tree.js';

/** The blocks of easy-email that are elements of MJML with other names. */
const TAGS: Readonly<Record<string, string>> = {
  accordion: 'mj-accordion',
  'accordion-element': 'mj-accordion-element',
  'accordion-text': 'mj-accordion-text',
  'accordion-title': 'mj-accordion-title',
  button: 'mj-button',
  carousel: 'mj-carousel',
  column: 'mj-column',
  divider: 'mj-divider',
  group: 'mj-group',
  hero: 'mj-hero',
  image: 'mj-image',
  navbar: 'mj-navbar',
  raw: 'mj-raw',
  section: 'mj-section',
  social: 'mj-social',
  spacer: 'mj-spacer',
  table: 'mj-table',
  text: 'mj-text',
  wrapper: 'mj-wrapper',
};
/** The members with the links and pictures of a block, and the elements of MJML that they are. */
const LISTS: Readonly<Record<string, readonly [member: string, tagName: string]>> = {
  'mj-navbar': ['links', 'mj-navbar-link'],
  'mj-social': ['elements', 'mj-social-element'],
  'mj-carousel': ['images', 'mj-carousel-image'],
};
const ROWS = ['mj-section', 'mj-wrapper', 'mj-hero'];
const COLUMNS = ['mj-column', 'mj-group'];
const WITHOUT_PADDING = { padding: '0' };

/** Reads a template of easy-email: its `content`, or the whole object with the subject. */
export function readEasyEmail(report: Report, template: DocumentNode): MjmlElement {
  const { content } = template;
  const page = isObject(content) ? content : template;
  const source = isObject(content) ? '/content' : '';
  if (page['type'] !== 'page') throw new NotImportable('it has no block of the type page.');
  const tree = new Tree();
  const blocks = objectsIn(page['children'], `${source}/children`);
  const children = blocks.map(({ node, source: place }) =>
    asRow(tree, readBlock(report, tree, node, place)),
  );
  const body = tree.element('mj-body', attributesOf(page), source, children);
  const email = tree.email(headOf(tree, page, source), body);
  const preheader = at(template, 'subTitle');
  if (preheader !== undefined && preheader !== '') {
    email.children[0]?.children.push(tree.element('mj-preview', {}, '/subTitle', preheader));
  }
  return email;
}

const attributesOf = ({ attributes }: DocumentNode): Attributes =>
  isObject(attributes)
    ? Object.fromEntries(Object.keys(attributes).map((name) => [name, at(attributes, name)]))
    : {};

function headOf(tree: Tree, page: DocumentNode, pointer: string): MjmlElement[] {
  const source = `${pointer}/data/value`;
  const value = (...path: string[]) => at(page, 'data', 'value', ...path);
  const data =
    isObject(page['data']) && isObject(page['data']['value']) ? page['data']['value'] : {};
  const styles = [
    ...objectsIn(data['headStyles'], `${source}/headStyles`).map(({ node }) => at(node, 'content')),
    value('user-style', 'content'),
  ];
  const background = { 'background-color': value('content-background-color') };
  const own = parseMjml(
    `<mjml><mj-attributes>${value('headAttributes') ?? ''}</mj-attributes></mjml>`,
  );
  return [
    ...styles.flatMap((css) => (css ? [tree.element('mj-style', {}, source, css)] : [])),
    ...objectsIn(data['fonts'], `${source}/fonts`).map(({ node, source: place }) =>
      tree.element('mj-font', { name: at(node, 'name'), href: at(node, 'href') }, place),
    ),
    ...own.children,
    tree.element('mj-attributes', {}, source, [
      tree.element('mj-all', { 'font-family': value('font-family')?.replaceAll('"', '') }, source),
      tree.element(
        'mj-text',
        {
          'font-size': value('font-size'),
          color: value('text-color'),
          'line-height': value('line-height'),
          'font-weight': value('font-weight'),
        },
        source,
      ),
      tree.element('mj-wrapper', background, source),
      tree.element('mj-section', background, source),
    ]),
  ];
}

function readBlock(
  report: Report,
  tree: Tree,
  block: DocumentNode,
  source: string,
): MjmlElement | undefined {
  // A block that may have a condition and a repetition.
  const type = (at(block, 'type') ?? '').replace(/^advanced_/, '');
  const tagName = Object.hasOwn(TAGS, type) ? TAGS[type] : undefined;
  if (tagName === undefined) {
    report.add('lost', source, `Galley does not know blocks of the type ${type} of easy-email.`);
    return undefined;
  }
  const data = isObject(block['data']) ? block['data']['value'] : undefined;
  if (isObject(data) && (isObject(data['condition']) || isObject(data['iteration']))) {
    report.add('lost', source, 'The condition or repetition is lost: write it in Galley again.');
  }
  const list = Object.hasOwn(LISTS, tagName) ? LISTS[tagName] : undefined;
  if (list !== undefined) {
    const [member, tagOfLink] = list;
    const links = objectsIn(isObject(data) ? data[member] : [], `${source}/data/value/${member}`);
    return tree.element(
      tagName,
      attributesOf(block),
      source,
      links.map(({ node, source: place }) => readLink(tree, tagOfLink, node, place)),
    );
  }
  const content = at(data, 'content');
  if (content !== undefined) return tree.element(tagName, attributesOf(block), source, content);
  const inside = objectsIn(block['children'], `${source}/children`).map(({ node, source: place }) =>
    readBlock(report, tree, node, place),
  );
  const children = inside.map((child) => wrapIn(tree, tagName, child));
  return tree.element(tagName, attributesOf(block), source, children);
}

function readLink(tree: Tree, tagName: string, link: DocumentNode, source: string): MjmlElement {
  const { content: _content, ...others } = link;
  return tree.element(
    tagName,
    attributesOf({ attributes: others }),
    source,
    at(link, 'content') ?? '',
  );
}

/** easy-email allows blocks without the columns and sections that MJML needs around them. */
function wrapIn(
  tree: Tree,
  parent: string,
  child: MjmlElement | undefined,
): MjmlElement | undefined {
  if (child === undefined || child.tagName === 'mj-raw') return child;
  if (parent === 'mj-wrapper') return asRow(tree, child);
  const isColumn = COLUMNS.includes(child.tagName);
  if (parent !== 'mj-section' || isColumn) return child;
  return tree.element('mj-column', WITHOUT_PADDING, child.source, [child]);
}

function asRow(tree: Tree, child: MjmlElement | undefined): MjmlElement | undefined {
  if (child === undefined || child.tagName === 'mj-raw' || ROWS.includes(child.tagName))
    return child;
  const { source } = child;
  const column = COLUMNS.includes(child.tagName)
    ? child
    : tree.element('mj-column', WITHOUT_PADDING, source, [child]);
  return tree.element('mj-section', WITHOUT_PADDING, source, [column]);
}
