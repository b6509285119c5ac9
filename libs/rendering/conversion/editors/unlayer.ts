import { escapeText, isObject, objectIn, type DocumentNode } from '../../document/index.js';
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

// The values with which Unlayer draws where a design sets nothing.
const TEXT = { 'font-size': '14px', 'line-height': '140%' };
const FAMILY = 'arial,helvetica,sans-serif';
const PADDING = '10px';
const NO_PADDING = { padding: '0' };
/** The names of networks that have another name in Galley. */
const NETWORKS: Readonly<Record<string, string>> = { website: 'web', 'x (twitter)': 'x' };

/** Reads a design of Unlayer, as `saveDesign` returns it. */
export function readUnlayer(report: Report, design: DocumentNode): MjmlElement {
  const body = objectIn(design, 'body');
  if (!Array.isArray(body['rows'])) throw new NotImportable('it has no rows in its body.');
  const tree = new Tree();
  const values = objectIn(body, 'values');
  const source = '/body/values';
  const rows = ['headers', 'rows', 'footers'].flatMap((name) =>
    objectsIn(body[name], `/body/${name}`).map(({ node, source: place }) =>
      readRow(report, tree, node, place),
    ),
  );
  const preheader = at(values, 'preheaderText') ?? '';
  const text = { ...TEXT, color: at(values, 'textColor') ?? '#000000' };
  if (at(values, 'backgroundImage', 'url')) {
    report.add('lost', source, 'The background image of the email is lost.');
  }
  return tree.email(
    [
      preheader === '' ? undefined : tree.element('mj-preview', {}, source, escapeText(preheader)),
      tree.element('mj-attributes', {}, source, [
        tree.element(
          'mj-all',
          { 'font-family': at(values, 'fontFamily', 'value') ?? FAMILY },
          source,
        ),
        tree.element('mj-text', text, source),
      ]),
    ],
    tree.element(
      'mj-body',
      {
        width: at(values, 'contentWidth') ?? '500px',
        'background-color': at(values, 'backgroundColor'),
      },
      source,
      rows,
    ),
  );
}

const hiddenOf = (values: DocumentNode): string | undefined =>
  visibilityClass({
    onPhones: values['hideMobile'] === true,
    elsewhere: values['hideDesktop'] === true,
  });

/** A background of the whole window needs an element around the row, if the row has a background of its own. */
function readRow(report: Report, tree: Tree, row: DocumentNode, source: string): MjmlElement {
  const values = objectIn(row, 'values');
  warnOfCondition(report, values, source);
  const cells = Array.isArray(row['cells']) ? row['cells'].map(Number) : [];
  const all = cells.reduce((sum, cell) => sum + cell, 0);
  const columns = objectsIn(row['columns'], `${source}/columns`).map(
    ({ node, source: place }, index) =>
      readColumn(
        report,
        tree,
        node,
        place,
        cells.length > 1 ? shareOf(cells[index] ?? 1, all) : undefined,
      ),
  );
  const staysInRow = values['noStackMobile'] === true && columns.length > 1;
  const inside = staysInRow ? [tree.element('mj-group', {}, source, columns)] : columns;
  const image = objectIn(values, 'backgroundImage');
  const outer = {
    padding: at(values, 'padding') ?? '0',
    'background-color': at(values, 'backgroundColor'),
    'background-url': at(image, 'url'),
    ...(at(image, 'url') && { 'background-size': 'cover', 'background-repeat': 'no-repeat' }),
    'full-width': 'full-width',
    'css-class': hiddenOf(values),
  };
  const own = at(values, 'columnsBackgroundColor') ?? '';
  if (own === '') return tree.element('mj-section', outer, source, inside);
  const section = { ...NO_PADDING, 'background-color': own };
  return tree.element('mj-wrapper', outer, source, [
    tree.element('mj-section', section, source, inside),
  ]);
}

function readColumn(
  report: Report,
  tree: Tree,
  column: DocumentNode,
  source: string,
  width: string | undefined,
): MjmlElement {
  const values = objectIn(column, 'values');
  const attributes = {
    width,
    padding: at(values, 'padding') ?? '0',
    'background-color': at(values, 'backgroundColor'),
    'border-radius': at(values, 'borderRadius'),
    ...bordersOf(objectIn(values, 'border')),
  };
  const contents = objectsIn(column['contents'], `${source}/contents`).map(
    ({ node, source: place }) => readContent(report, tree, node, place),
  );
  return tree.element('mj-column', attributes, source, contents);
}

function bordersOf(border: DocumentNode): Attributes {
  return Object.fromEntries(
    ['Top', 'Right', 'Bottom', 'Left'].map((side) => {
      const parts = ['Width', 'Style', 'Color'].map((part) => at(border, `border${side}${part}`));
      return [
        `border-${side.toLowerCase()}`,
        parts.includes(undefined) ? undefined : parts.join(' '),
      ];
    }),
  );
}

function warnOfCondition(report: Report, values: DocumentNode, source: string): void {
  if (!isObject(values['displayCondition'])) return;
  report.add('lost', source, 'The display condition is lost: write it in Galley again.');
}

/** Where a link leads. A link of Unlayer is an action with values. */
const linkOf = (action: unknown): Attributes => {
  const target = at(action, 'values', 'target');
  return {
    href: at(action, 'values', 'href') ?? at(action, 'attrs', 'href'),
    target: target === '_blank' ? undefined : target,
  };
};

function readContent(
  report: Report,
  tree: Tree,
  content: DocumentNode,
  source: string,
): MjmlElement | undefined {
  const type = at(content, 'type') ?? '';
  const values = objectIn(content, 'values');
  warnOfCondition(report, values, source);
  const box = {
    padding: at(values, 'containerPadding') ?? PADDING,
    'css-class': hiddenOf(values),
  };
  const text = {
    ...box,
    align: at(values, 'textAlign') ?? 'left',
    color: at(values, 'color'),
    'font-family': at(values, 'fontFamily', 'value'),
    'font-size': at(values, 'fontSize'),
    'font-weight': at(values, 'fontWeight'),
    'line-height': at(values, 'lineHeight'),
  };
  switch (type) {
    case 'text':
    case 'paragraph':
      return tree.element('mj-text', text, source, withMargins(at(values, 'text') ?? ''));
    case 'heading': {
      const level = /^h([1-6])$/.exec(at(values, 'headingType') ?? '')?.[1] ?? '1';
      const heading = { ...TEXT, 'font-weight': '400', 'font-size': '22px', ...clean(text), level };
      return tree.element('galley-heading', heading, source, at(values, 'text') ?? '');
    }
    case 'html':
      return tree.element('mj-raw', box, source, at(values, 'html') ?? '');
    case 'image': {
      const link = linkOf(values['action']);
      const image = { src: at(values, 'src', 'url'), alt: at(values, 'altText'), ...link };
      const align = at(values, 'textAlign') ?? 'center';
      return tree.element('mj-image', { ...box, ...image, align, width: widthOf(values) }, source);
    }
    case 'video': {
      const address = at(values, 'videoUrl') ?? at(values, 'video', 'url');
      const poster = at(values, 'thumbnailUrl') ?? at(values, 'video', 'thumbnail');
      return tree.element('galley-video', { ...box, src: poster, href: address }, source);
    }
    case 'button':
      return readButton(tree, values, text, source);
    case 'divider': {
      const border = objectIn(values, 'border');
      const line = {
        'border-color': at(border, 'borderTopColor'),
        'border-style': at(border, 'borderTopStyle'),
        'border-width': at(border, 'borderTopWidth'),
        width: at(values, 'width'),
        align: at(values, 'textAlign'),
      };
      return tree.element('mj-divider', { ...box, ...line }, source);
    }
    case 'menu':
      return readMenu(tree, values, text, source);
    case 'social':
      return readSocial(tree, values, box, source);
    default:
      report.add('lost', source, `Galley does not know contents of the type ${type} of Unlayer.`);
      return undefined;
  }
}

const clean = (attributes: Attributes): Attributes =>
  Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined));

/** The width of a picture, unless it fills its column. */
function widthOf(values: DocumentNode): string | undefined {
  const src = objectIn(values, 'src');
  const percent = /^([\d.]+)%$/.exec(at(src, 'maxWidth') ?? '')?.[1];
  const width = Number(at(src, 'width'));
  if (src['autoWidth'] !== false || percent === undefined || !(width > 0)) return undefined;
  return `${Math.round((width * Number(percent)) / 100)}px`;
}

function readButton(
  tree: Tree,
  values: DocumentNode,
  text: Attributes,
  source: string,
): MjmlElement {
  const size = objectIn(values, 'size');
  const attributes = {
    ...TEXT,
    ...clean(text),
    align: at(values, 'textAlign') ?? 'center',
    color: at(values, 'buttonColors', 'color') ?? '#FFFFFF',
    'background-color': at(values, 'buttonColors', 'backgroundColor') ?? '#3AAEE0',
    'border-radius': at(values, 'borderRadius') ?? '4px',
    'inner-padding': at(values, 'padding') ?? '10px 20px',
    'line-height': at(values, 'lineHeight') ?? '120%',
    ...bordersOf(objectIn(values, 'border')),
    ...(size['autoWidth'] === false && { width: at(size, 'width') }),
    ...linkOf(values['href']),
  };
  return tree.element('mj-button', attributes, source, at(values, 'text') ?? '');
}

function readMenu(tree: Tree, values: DocumentNode, text: Attributes, source: string): MjmlElement {
  const items = objectIn(values, 'menu')['items'];
  const links = objectsIn(items, `${source}/values/menu/items`).map(({ node, source: place }) =>
    tree.element(
      'mj-navbar-link',
      {
        ...TEXT,
        ...clean({ 'font-family': text['font-family'], 'font-size': text['font-size'] }),
        color: at(values, 'linkColor') ?? at(values, 'textColor'),
        padding: at(values, 'padding') ?? '5px 15px',
        'text-transform': 'none',
        ...linkOf(node['link']),
      },
      place,
      at(node, 'text') ?? '',
    ),
  );
  const { padding, 'css-class': visibility } = text;
  const align = at(values, 'align') ?? 'center';
  return tree.element('mj-navbar', { padding, 'css-class': visibility, align }, source, links);
}

function readSocial(
  tree: Tree,
  values: DocumentNode,
  box: Attributes,
  source: string,
): MjmlElement {
  const spacing = Number(at(values, 'spacing') ?? 5);
  const icons = objectIn(values, 'icons')['icons'];
  const links = objectsIn(icons, `${source}/values/icons/icons`).map(({ node, source: place }) => {
    const network = (at(node, 'name') ?? '').toLowerCase();
    const name = `${NETWORKS[network] ?? network}-noshare`;
    return tree.element('mj-social-element', { name, href: at(node, 'url') }, place);
  });
  const size = at(values, 'iconSize') ?? '32';
  const attributes = {
    ...box,
    align: at(values, 'align') ?? 'center',
    'icon-size': `${Number.parseInt(size, 10) || 32}px`,
    'inner-padding': `0 ${spacing}px 0 0`,
    'border-radius': at(values, 'icons', 'iconType')?.startsWith('circle') === true ? '50%' : '3px',
  };
  return tree.element('mj-social', attributes, source, links);
}
