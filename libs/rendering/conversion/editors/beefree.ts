import { escapeText, objectIn, type DocumentNode } from '../../document/index.js';
import type { MjmlElement } from '../mjml/mjml-element.js';
import { NotImportable } from '../not-importable.js';
import type { Report } from '../report.js';
import {
  at,
  objectsIn,
  shareOf,
  Tree,
  visibilityClass,
  withMargins,
  type Attributes,
} from './tree.js';

const PREFIX = 'mailup-bee-newsletter-modules-';
const SIDES = ['top', 'right', 'bottom', 'left'];
const NO_PADDING = { padding: '0' };
const COLUMNS = 12;
const TEXT = [
  'color',
  'font-family',
  'font-size',
  'font-weight',
  'line-height',
  'letter-spacing',
] as const;

/** Reads a template of Beefree, as its editor saves it in JSON. */
export function readBeefree(report: Report, template: DocumentNode): MjmlElement {
  const page = objectIn(template, 'page');
  if (!Array.isArray(page['rows'])) throw new NotImportable('it has no rows in its page.');
  const tree = new Tree();
  const body = objectIn(page, 'body');
  const source = '/page/body';
  const width = at(body, 'content', 'computedStyle', 'messageWidth') ?? '500px';
  const rows = objectsIn(page['rows'], '/page/rows').map(({ node, source: place }) =>
    readRow(report, tree, node, place),
  );
  const fonts = objectsIn(body['webFonts'], `${source}/webFonts`).map(({ node, source: place }) =>
    tree.element('mj-font', { name: at(node, 'name'), href: at(node, 'url') }, place),
  );
  const style = objectIn(objectIn(body, 'content'), 'style');
  const family = at(style, 'font-family') ?? 'Arial, Helvetica, sans-serif';
  const text = {
    color: at(style, 'color') ?? '#000000',
    'font-size': '14px',
    'line-height': '1.2',
  };
  const title = at(page, 'title') ?? '';
  return tree.email(
    [
      title === '' ? undefined : tree.element('mj-title', {}, '/page/title', escapeText(title)),
      ...fonts,
      tree.element('mj-attributes', {}, source, [
        tree.element('mj-all', { 'font-family': family }, source),
        tree.element('mj-text', text, source),
      ]),
    ],
    tree.element(
      'mj-body',
      { width, 'background-color': at(body, 'container', 'style', 'background-color') },
      source,
      rows,
    ),
  );
}

/** The styles that are set. Beefree writes `transparent`, `none` and widths of 0 for those that are not. */
const set = (value: string | undefined): string | undefined =>
  value === undefined || /^(?:transparent|none|0(?:px)? .*)$/.test(value) ? undefined : value;

const sidesOf = (style: DocumentNode, name: string): Attributes =>
  Object.fromEntries(SIDES.map((side) => [`${name}-${side}`, set(at(style, `${name}-${side}`))]));

const paddingOf = (style: DocumentNode): string =>
  SIDES.map((side) => at(style, `padding-${side}`) ?? '0').join(' ');

const hiddenOf = (computed: DocumentNode): string | undefined =>
  visibilityClass({
    onPhones: computed['hideContentOnMobile'] === true,
    elsewhere: computed['hideContentOnDesktop'] === true,
  });

function readRow(report: Report, tree: Tree, row: DocumentNode, source: string): MjmlElement {
  const content = objectIn(row, 'content');
  const style = objectIn(content, 'style');
  const computed = objectIn(content, 'computedStyle');
  const around = objectIn(objectIn(row, 'container'), 'style');
  const all = objectsIn(row['columns'], `${source}/columns`);
  const columns = all.map(({ node, source: place }) =>
    readColumn(report, tree, node, place, all.length > 1),
  );
  if (computed['rowReverseColStackOnMobile'] === true) {
    report.add('approximated', source, 'Phones show the columns in the order of wide windows.');
  }
  const staysInRow = computed['rowColStackOnMobile'] === false && columns.length > 1;
  const inside = staysInRow ? [tree.element('mj-group', {}, source, columns)] : columns;
  const image = /url\(["']?([^"')]+)/.exec(at(around, 'background-image') ?? '')?.[1];
  const outer = {
    ...NO_PADDING,
    'background-color': set(at(around, 'background-color')),
    'background-url': image,
    ...(image !== undefined && { 'background-size': 'cover', 'background-repeat': 'no-repeat' }),
    'full-width': 'full-width',
    'css-class': hiddenOf(computed),
  };
  const own = {
    padding: paddingOf(style),
    'background-color': set(at(style, 'background-color')),
    'border-radius': set(at(style, 'border-radius')),
    ...sidesOf(style, 'border'),
  };
  return tree.element('mj-wrapper', outer, source, [
    tree.element('mj-section', own, source, inside),
  ]);
}

function readColumn(
  report: Report,
  tree: Tree,
  column: DocumentNode,
  source: string,
  isShared: boolean,
): MjmlElement {
  const style = objectIn(column, 'style');
  const part = Number(at(column, 'grid-columns') ?? COLUMNS);
  const attributes = {
    width: isShared ? shareOf(part, COLUMNS) : undefined,
    padding: paddingOf(style),
    'background-color': set(at(style, 'background-color')),
    ...sidesOf(style, 'border'),
  };
  const modules = objectsIn(column['modules'], `${source}/modules`).map(({ node, source: place }) =>
    readModule(report, tree, node, place),
  );
  return tree.element('mj-column', attributes, source, modules);
}

const textStyles = (style: DocumentNode): Attributes =>
  Object.fromEntries(
    TEXT.flatMap((name) => {
      const value = at(style, name);
      const isUnset = value === undefined || value === 'inherit' || value === '0px';
      return isUnset ? [] : [[name, value]];
    }),
  );

function readModule(
  report: Report,
  tree: Tree,
  module: DocumentNode,
  source: string,
): MjmlElement | undefined {
  const type = (at(module, 'type') ?? '').replace(PREFIX, '');
  const descriptor = objectIn(module, 'descriptor');
  const style = objectIn(descriptor, 'style');
  const computed = objectIn(descriptor, 'computedStyle');
  const part = objectIn(descriptor, type);
  const own = objectIn(part, 'style');
  const align = at(own, 'text-align') ?? at(style, 'text-align') ?? at(computed, 'align');
  const box = { padding: paddingOf(style), 'css-class': hiddenOf(computed) };
  const text = { ...box, ...textStyles(own), align };
  switch (type) {
    case 'text':
    case 'paragraph':
    case 'list':
      return tree.element('mj-text', text, source, withMargins(at(part, 'html') ?? ''));
    case 'heading': {
      const level = /^h([1-6])$/.exec(at(part, 'title') ?? '')?.[1] ?? '1';
      const heading = { 'font-weight': '700', ...text, level };
      return tree.element('galley-heading', heading, source, at(part, 'text') ?? '');
    }
    case 'html':
      return tree.element('mj-raw', box, source, at(part, 'html') ?? '');
    case 'image': {
      const width = /^\d+(?:\.\d+)?px$/.exec(at(computed, 'width') ?? '')?.[0];
      const [side] = /left|right|center/.exec(at(computed, 'class') ?? '') ?? ['center'];
      const image = { src: at(part, 'src'), alt: at(part, 'alt'), href: at(part, 'href'), width };
      return tree.element('mj-image', { ...box, ...image, align: side }, source);
    }
    case 'video': {
      const poster = at(part, 'thumbnail') ?? at(part, 'thumb');
      const video = { src: poster, href: at(part, 'src'), alt: at(part, 'alt') };
      return tree.element('galley-video', { ...box, ...video }, source);
    }
    case 'button':
      return readButton(tree, part, { ...box, align }, source);
    case 'divider': {
      const [, width, line, colour] = /^(\S+) (\S+) (\S+)$/.exec(at(own, 'border-top') ?? '') ?? [];
      const border = { 'border-width': width, 'border-style': line, 'border-color': colour };
      return tree.element(
        'mj-divider',
        { ...box, ...border, width: at(own, 'width'), align },
        source,
      );
    }
    case 'spacer':
      return tree.element('mj-spacer', { ...box, height: at(own, 'height') }, source);
    case 'social':
      return readSocial(tree, objectIn(descriptor, 'iconsList'), { ...box, align }, source);
    case 'menu':
      return readMenu(tree, part, { box: { ...box, align }, text: textStyles(own) }, source);
    case 'empty':
      return undefined;
    default:
      report.add('lost', source, `Galley does not know modules of the type ${type} of Beefree.`);
      return undefined;
  }
}

function readButton(
  tree: Tree,
  button: DocumentNode,
  box: Attributes,
  source: string,
): MjmlElement {
  const style = objectIn(button, 'style');
  const width = at(style, 'width') ?? 'auto';
  const attributes = {
    'font-size': '16px',
    ...box,
    ...textStyles(style),
    'background-color': at(style, 'background-color'),
    'border-radius': at(style, 'border-radius'),
    'inner-padding': paddingOf(style),
    ...sidesOf(style, 'border'),
    ...(width !== 'auto' && { width }),
    href: at(button, 'href'),
  };
  return tree.element('mj-button', attributes, source, at(button, 'label') ?? '');
}

/** The pictures of Beefree's social networks have addresses of their own. */
function readSocial(tree: Tree, list: DocumentNode, box: Attributes, source: string): MjmlElement {
  const links = objectsIn(list['icons'], `${source}/descriptor/iconsList/icons`).map(
    ({ node, source: place }) => {
      const image = objectIn(node, 'image');
      const attributes = {
        src: at(image, 'src'),
        href: at(image, 'href'),
        alt: at(image, 'alt') ?? at(image, 'title'),
      };
      return tree.element('mj-social-element', attributes, place, at(node, 'text') ?? '');
    },
  );
  return tree.element('mj-social', { ...box, 'icon-size': '32px' }, source, links);
}

function readMenu(
  tree: Tree,
  menu: DocumentNode,
  { box, text }: { box: Attributes; text: Attributes },
  source: string,
): MjmlElement {
  const links = objectsIn(menu['items'], `${source}/descriptor/menu/items`).map(
    ({ node, source: place }) =>
      tree.element(
        'mj-navbar-link',
        {
          ...text,
          'text-transform': 'none',
          padding: '5px 15px',
          href: at(node, 'link', 'href') ?? at(node, 'link') ?? at(node, 'href'),
        },
        place,
        at(node, 'text') ?? '',
      ),
  );
  return tree.element('mj-navbar', box, source, links);
}
