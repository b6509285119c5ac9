import { escapeText, objectIn, type DocumentNode } from '../../document/index.js';
import type { MjmlElement } from '../mjml/mjml-element.js';
import { NotImportable } from '../not-importable.js';
import type { Report } from '../report.js';
import {
  at,
  objectsIn,
  paddingOf,
  pixels,
  shareOf,
  Tree,
  visibilityClass,
  withMargins,
  type Attributes,
} from './tree.js';

/** The shares of the columns in a section, by its `columns`. */
const LAYOUTS: Readonly<Record<string, readonly number[]>> = {
  '1': [1],
  '2': [1, 1],
  '3': [1, 1, 1],
  '2-1': [2, 1],
  '1-2': [1, 2],
};
const HEADING_SIZES: Readonly<Record<string, string>> = {
  '1': '36px',
  '2': '28px',
  '3': '22px',
  '4': '18px',
};
const ICON_SIZES: Readonly<Record<string, string>> = {
  small: '24px',
  medium: '32px',
  large: '48px',
};
/** The names of networks that have another name in Galley. */
const NETWORKS: Readonly<Record<string, string>> = { website: 'web' };
const NO_PADDING = { padding: '0' };

/** Reads a template of Templatical: `blocks` and `settings`. */
export function readTemplatical(report: Report, template: DocumentNode): MjmlElement {
  if (!Array.isArray(template['blocks'])) throw new NotImportable('it has no blocks array.');
  const tree = new Tree();
  const settings = objectIn(template, 'settings');
  const rows = objectsIn(template['blocks'], '/blocks').map(({ node, source }) =>
    node['type'] === 'section'
      ? readSection(report, tree, node, source)
      : rowOf(tree, source, [readBlock(report, tree, node, source)]),
  );
  const preheader = at(settings, 'preheaderText');
  const source = '/settings';
  const email = tree.email(
    [
      preheader === undefined
        ? undefined
        : tree.element('mj-preview', {}, source, escapeText(preheader)),
      tree.element('mj-attributes', {}, source, [
        tree.element('mj-all', { 'font-family': at(settings, 'fontFamily') }, source),
        tree.element(
          'mj-text',
          {
            'font-size': '16px',
            'line-height': '1.5',
            color: at(settings, 'textColor') ?? '#1a1a1a',
          },
          source,
        ),
      ]),
    ],
    tree.element(
      'mj-body',
      { width: pixels(at(settings, 'width')), 'background-color': at(settings, 'backgroundColor') },
      source,
      rows,
    ),
  );
  const language = at(settings, 'locale');
  if (language !== undefined) email.attributes['lang'] = language;
  return email;
}

const rowOf = (
  tree: Tree,
  source: string,
  blocks: readonly (MjmlElement | undefined)[],
): MjmlElement =>
  tree.element('mj-section', NO_PADDING, source, [
    tree.element('mj-column', NO_PADDING, source, blocks),
  ]);

function readSection(
  report: Report,
  tree: Tree,
  section: DocumentNode,
  source: string,
): MjmlElement {
  const layout = at(section, 'columns') ?? '1';
  const shares = (Object.hasOwn(LAYOUTS, layout) ? LAYOUTS[layout] : undefined) ?? [1];
  const all = shares.reduce((sum, share) => sum + share, 0);
  const { children } = section;
  const columns = shares.map((share, index) => {
    const blocks = Array.isArray(children) ? (children[index] as unknown) : [];
    const inside = objectsIn(blocks, `${source}/children/${index}`).map(({ node, source: place }) =>
      readBlock(report, tree, node, place),
    );
    const width = shares.length > 1 ? shareOf(share, all) : undefined;
    return tree.element('mj-column', { ...NO_PADDING, width }, source, inside);
  });
  const { 'container-background-color': background, ...box } = boxOf(report, section, source);
  const attributes = { ...NO_PADDING, ...box, 'background-color': background };
  return tree.element('mj-section', attributes, source, columns);
}

/** The attributes that all blocks have. */
function boxOf(report: Report, block: DocumentNode, source: string): Attributes {
  const { desktop = true, mobile = true } = objectIn(block, 'visibility');
  if (block['displayCondition'] !== undefined) {
    report.add('lost', source, 'The display condition is lost: write it in Galley again.');
  }
  return {
    padding: paddingOf(objectIn(block, 'styles')['padding']) ?? '0',
    'container-background-color': at(block, 'styles', 'backgroundColor'),
    'css-class': visibilityClass({ onPhones: mobile === false, elsewhere: desktop === false }),
  };
}

const targetOf = ({ openInNewTab, linkOpenInNewTab }: DocumentNode): string | undefined =>
  openInNewTab === false || linkOpenInNewTab === false ? '_self' : undefined;

function readBlock(
  report: Report,
  tree: Tree,
  block: DocumentNode,
  source: string,
): MjmlElement | undefined {
  const type = at(block, 'type') ?? '';
  const box = boxOf(report, block, source);
  const family = { 'font-family': at(block, 'fontFamily') };
  const picture = {
    ...box,
    alt: at(block, 'alt'),
    align: at(block, 'align'),
    width: pixels(at(block, 'width')),
    target: targetOf(block),
  };
  switch (type) {
    case 'title': {
      const level = at(block, 'level') ?? '2';
      const heading = {
        ...box,
        ...family,
        level,
        'font-size': HEADING_SIZES[level],
        'font-weight': 'bold',
        'line-height': '1.3',
        color: at(block, 'color'),
        align: at(block, 'textAlign') ?? 'left',
      };
      return tree.element('galley-heading', heading, source, at(block, 'content') ?? '');
    }
    case 'paragraph':
      return tree.element('mj-text', box, source, withMargins(at(block, 'content') ?? ''));
    case 'html':
      return tree.element('mj-raw', box, source, at(block, 'content') ?? '');
    case 'image':
      return tree.element(
        'mj-image',
        { ...picture, src: at(block, 'src'), href: at(block, 'linkUrl') },
        source,
      );
    case 'video':
      return tree.element(
        'galley-video',
        { ...picture, src: at(block, 'thumbnailUrl'), href: at(block, 'url') },
        source,
      );
    case 'button':
      return readButton(tree, block, { ...box, ...family }, source);
    case 'divider': {
      const line = {
        'border-style': at(block, 'lineStyle') ?? 'solid',
        'border-color': at(block, 'color'),
        'border-width': pixels(at(block, 'thickness')),
        width: pixels(at(block, 'width')),
      };
      return tree.element('mj-divider', { ...box, ...line }, source);
    }
    case 'spacer':
      return tree.element('mj-spacer', { ...box, height: pixels(at(block, 'height')) }, source);
    case 'social':
      return readSocial(tree, block, box, source);
    case 'menu':
      return readMenu(tree, block, { box, family }, source);
    case 'table':
      return readTable(tree, block, { ...box, ...family }, source);
    default:
      report.add('lost', source, `Galley does not know blocks of the type ${type} of Templatical.`);
      return undefined;
  }
}

function readButton(tree: Tree, block: DocumentNode, box: Attributes, source: string): MjmlElement {
  const attributes = {
    ...box,
    align: at(block, 'align') ?? 'center',
    href: at(block, 'url'),
    target: targetOf(block),
    'background-color': at(block, 'backgroundColor'),
    color: at(block, 'textColor'),
    'border-radius': pixels(at(block, 'borderRadius')),
    'font-size': pixels(at(block, 'fontSize')),
    'font-weight': 'bold',
    'inner-padding': paddingOf(block['buttonPadding']),
  };
  return tree.element('mj-button', attributes, source, escapeText(at(block, 'text') ?? ''));
}

function readSocial(tree: Tree, block: DocumentNode, box: Attributes, source: string): MjmlElement {
  const spacing = Number(at(block, 'spacing') ?? 8) / 2;
  const attributes = {
    ...box,
    align: at(block, 'align') ?? 'center',
    'icon-size': ICON_SIZES[at(block, 'iconSize') ?? 'medium'],
    'inner-padding': `0 ${spacing}px`,
    ...(at(block, 'iconStyle') === 'circle' && { 'border-radius': '50%' }),
  };
  const links = objectsIn(block['icons'], `${source}/icons`).map(({ node, source: place }) => {
    const platform = at(node, 'platform') ?? '';
    const name = `${NETWORKS[platform] ?? platform}-noshare`;
    return tree.element('mj-social-element', { name, href: at(node, 'url') }, place);
  });
  return tree.element('mj-social', attributes, source, links);
}

function readMenu(
  tree: Tree,
  block: DocumentNode,
  { box, family }: { box: Attributes; family: Attributes },
  source: string,
): MjmlElement {
  const spacing = Number(at(block, 'spacing') ?? 16) / 2;
  const links = objectsIn(block['items'], `${source}/items`).map(({ node, source: place }) =>
    tree.element(
      'mj-navbar-link',
      {
        ...family,
        href: at(node, 'url'),
        target: targetOf(node),
        color: at(node, 'color') ?? at(block, 'linkColor') ?? at(block, 'color'),
        'font-size': pixels(at(block, 'fontSize')),
        'font-weight': node['bold'] === true ? 'bold' : 'normal',
        'text-decoration': node['underline'] === true ? 'underline' : 'none',
        'text-transform': 'none',
        padding: `0 ${spacing}px`,
      },
      place,
      escapeText(at(node, 'text') ?? ''),
    ),
  );
  const attributes = { ...box, align: at(block, 'textAlign') ?? 'center' };
  return tree.element('mj-navbar', attributes, source, links);
}

function readTable(tree: Tree, block: DocumentNode, box: Attributes, source: string): MjmlElement {
  const padding = pixels(at(block, 'cellPadding')) ?? '8px';
  const border = `${pixels(at(block, 'borderWidth')) ?? '1px'} solid ${at(block, 'borderColor') ?? '#dddddd'}`;
  const align = at(block, 'textAlign') ?? 'left';
  const hasHeader = block['hasHeaderRow'] === true;
  const background = at(block, 'headerBackgroundColor');
  const style = `padding:${padding};border:${border};text-align:${align}`;
  const rows = objectsIn(block['rows'], '').map(({ node }, index) => {
    const isHeader = hasHeader && index === 0;
    const tag = isHeader ? 'th' : 'td';
    const own = isHeader && background !== undefined ? `;background-color:${background}` : '';
    const cells = objectsIn(node['cells'], '').map(
      ({ node: cell }) =>
        `<${tag} style="${escapeText(style + own)}">${at(cell, 'content') ?? ''}</${tag}>`,
    );
    return `<tr>${cells.join('')}</tr>`;
  });
  const attributes = {
    ...box,
    color: at(block, 'color'),
    'font-size': pixels(at(block, 'fontSize')),
    'line-height': '1.5',
  };
  return tree.element('mj-table', attributes, source, rows.join(''));
}
