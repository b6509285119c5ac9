import { escapeText, isObject, objectIn, type DocumentNode } from '../../document/index.js';
import type { MjmlElement } from '../mjml/mjml-element.js';
import { NotImportable } from '../not-importable.js';
import type { Report } from '../report.js';
import { at, paddingOf, pixels, shareOf, Tree, withMargins, type Attributes } from './tree.js';

const MAX_READS = 10_000;
const MAX_NESTED_BLOCKS = 50;

// The values of `fontFamily` of @usewaypoint/email-builder. Each stack begins with fonts that few readers have.
const FONTS: Readonly<Record<string, string>> = {
  MODERN_SANS: "'Helvetica Neue', 'Arial Nova', 'Nimbus Sans', Arial, sans-serif",
  BOOK_SANS: "Optima, Candara, 'Noto Sans', source-sans-pro, sans-serif",
  ORGANIC_SANS: "Seravek, 'Gill Sans Nova', Ubuntu, Calibri, 'DejaVu Sans', sans-serif",
  GEOMETRIC_SANS: "Avenir, 'Avenir Next LT Pro', Montserrat, Corbel, 'URW Gothic', sans-serif",
  HEAVY_SANS:
    "Bahnschrift, 'DIN Alternate', 'Franklin Gothic Medium', 'Nimbus Sans Narrow', sans-serif",
  ROUNDED_SANS:
    "ui-rounded, 'Hiragino Maru Gothic ProN', Quicksand, Comfortaa, Calibri, sans-serif",
  MODERN_SERIF: "Charter, 'Bitstream Charter', 'Sitka Text', Cambria, serif",
  BOOK_SERIF: "'Iowan Old Style', 'Palatino Linotype', 'URW Palladio L', P052, serif",
  MONOSPACE: "'Nimbus Mono PS', 'Courier New', 'Cutive Mono', monospace",
};
const BUTTON_PADDINGS: Readonly<Record<string, string>> = {
  'x-small': '4px 8px',
  small: '8px 12px',
  medium: '12px 20px',
  large: '16px 32px',
};
const RADII: Readonly<Record<string, string>> = { rectangle: '0', rounded: '4px', pill: '64px' };
const HEADING_SIZES: Readonly<Record<string, number>> = { h1: 32, h2: 24, h3: 20 };
const NO_PADDING = { padding: '0' };
// The reader of email-builder gives all texts these styles.
const TEXT = { 'font-size': '16px', 'line-height': '1.5' };

/** Reads a document of @usewaypoint/email-builder, in which blocks refer to each other by their ids. */
export function readEmailBuilder(report: Report, blocks: DocumentNode): MjmlElement {
  const root = objectIn(blocks, 'root');
  if (root['type'] !== 'EmailLayout') {
    throw new NotImportable('its root is no block of the type EmailLayout.');
  }
  return new EmailBuilderReader(report, blocks).email(objectIn(root, 'data'));
}

class EmailBuilderReader {
  private readonly tree = new Tree();
  /** The blocks that are being read. A block may be inside of itself. */
  private reads = 0;
  private readonly open = new Set<string>();

  constructor(
    private readonly report: Report,
    private readonly blocks: DocumentNode,
  ) {}

  email(layout: DocumentNode): MjmlElement {
    const canvas = { 'background-color': at(layout, 'canvasColor') ?? '#FFFFFF' };
    const family = FONTS[at(layout, 'fontFamily') ?? 'MODERN_SANS'];
    const text = { ...TEXT, color: at(layout, 'textColor') ?? '#262626' };
    const head = this.tree.element('mj-attributes', {}, '/root', [
      this.tree.element('mj-all', { 'font-family': family }, '/root'),
      this.tree.element('mj-text', text, '/root'),
    ]);
    const body = this.tree.element(
      'mj-body',
      { 'background-color': at(layout, 'backdropColor') ?? '#F5F5F5' },
      '/root',
      this.rows(layout['childrenIds'], canvas),
    );
    return this.tree.email([head], body);
  }

  /** Rows of one column, and those that have several. */
  private rows(ids: unknown, background: Attributes): MjmlElement[] {
    const rows: MjmlElement[] = [];
    for (const id of idsIn(ids)) {
      this.read(id, (type, data, source) => {
        if (type === 'Container') rows.push(this.container(data, source, background));
        else if (type === 'ColumnsContainer') rows.push(this.columns(data, source, background));
        else rows.push(this.row(background, source, this.leaf(type, data, source)));
      });
    }
    return rows;
  }

  private read(id: string, use: (type: string, data: DocumentNode, source: string) => void): void {
    const block = Object.hasOwn(this.blocks, id) ? this.blocks[id] : undefined;
    const source = `/${id.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (!isObject(block) || this.open.has(id)) {
      this.report.add('lost', source, 'There is no such block, or it is inside of itself.');
      return;
    }
    // Several lists may name the same block, so the blocks of a small content may have no end.
    if (++this.reads > MAX_READS) throw new NotImportable('it names more than 10,000 blocks.');
    if (this.open.size >= MAX_NESTED_BLOCKS) {
      throw new NotImportable(`its blocks are nested more than ${MAX_NESTED_BLOCKS} deep.`);
    }
    this.open.add(id);
    use(at(block, 'type') ?? '', objectIn(block, 'data'), source);
    this.open.delete(id);
  }

  private row(background: Attributes, source: string, block: MjmlElement | undefined): MjmlElement {
    const column = this.tree.element('mj-column', NO_PADDING, source, [block]);
    return this.tree.element('mj-section', { ...NO_PADDING, ...background }, source, [column]);
  }

  private container(data: DocumentNode, source: string, background: Attributes): MjmlElement {
    const { padding, ...style } = styleOf(data);
    const colour = at(data, 'style', 'borderColor');
    const attributes = {
      ...background,
      ...style,
      padding: padding ?? '0',
      border: colour && `1px solid ${colour}`,
      'border-radius': pixels(at(data, 'style', 'borderRadius')),
    };
    const inside = this.rows(objectIn(data, 'props')['childrenIds'], {});
    return this.tree.element('mj-wrapper', attributes, source, inside);
  }

  private columns(data: DocumentNode, source: string, background: Attributes): MjmlElement {
    const props = objectIn(data, 'props');
    const columns = (Array.isArray(props['columns']) ? props['columns'] : []).filter(isObject);
    const shown = columns.slice(0, at(props, 'columnsCount') === '3' ? 3 : 2);
    const gap = Number(at(props, 'columnsGap') ?? 0) / 2;
    const fixed = props['fixedWidths'];
    const isFixed = Array.isArray(fixed) && fixed.some((width) => typeof width === 'number');
    if (isFixed) {
      this.report.add(
        'approximated',
        source,
        'The columns have equal widths instead of fixed ones.',
      );
    }
    const children = shown.map((column, index) => {
      const left = index > 0 ? `${gap}px` : '0';
      const right = index < shown.length - 1 ? `${gap}px` : '0';
      const attributes = {
        width: shareOf(1, shown.length),
        'vertical-align': at(props, 'contentAlignment') ?? 'middle',
        padding: `0 ${right} 0 ${left}`,
      };
      return this.tree.element('mj-column', attributes, source, this.leaves(column['childrenIds']));
    });
    const attributes = { ...NO_PADDING, ...background, ...styleOf(data) };
    return this.tree.element('mj-section', attributes, source, children);
  }

  /** The blocks inside a column, without the containers around them. */
  private leaves(ids: unknown): MjmlElement[] {
    const leaves: MjmlElement[] = [];
    for (const id of idsIn(ids)) {
      this.read(id, (type, data, source) => {
        if (type !== 'Container' && type !== 'ColumnsContainer') {
          const leaf = this.leaf(type, data, source);
          if (leaf !== undefined) leaves.push(leaf);
          return;
        }
        this.report.add(
          'approximated',
          source,
          `The ${type} inside a column has no box of its own.`,
        );
        const props = objectIn(data, 'props');
        const columns = (Array.isArray(props['columns']) ? props['columns'] : []).filter(isObject);
        const inside = [props, ...columns].flatMap((part) => idsIn(part['childrenIds']));
        leaves.push(...this.leaves(inside));
      });
    }
    return leaves;
  }

  private leaf(type: string, data: DocumentNode, source: string): MjmlElement | undefined {
    const props = objectIn(data, 'props');
    const { 'background-color': background, ...style } = styleOf(data);
    const block = { padding: '0', ...style, 'container-background-color': background };
    const text = escapeText(at(props, 'text') ?? '');
    switch (type) {
      case 'Text': {
        const isMarkdown = props['markdown'] === true;
        if (isMarkdown)
          this.report.add('approximated', source, 'The text is not read as Markdown.');
        return this.tree.element('mj-text', block, source, text.replaceAll('\n', '<br>'));
      }
      case 'Heading': {
        const level = at(props, 'level') ?? 'h2';
        const size = `${HEADING_SIZES[level] ?? HEADING_SIZES['h2']}px`;
        const attributes = { 'font-weight': 'bold', 'font-size': size, ...block };
        const heading = { ...attributes, level: level.replace('h', '') };
        return this.tree.element('galley-heading', heading, source, text);
      }
      case 'Html':
        return this.tree.element('mj-raw', block, source, withMargins(at(props, 'contents') ?? ''));
      case 'Button':
        return this.button(props, block, source);
      case 'Image':
      case 'Avatar':
        return this.image(type, props, block, source);
      case 'Divider': {
        const line = {
          'border-color': at(props, 'lineColor') ?? '#333333',
          'border-style': 'solid',
        };
        const width = pixels(at(props, 'lineHeight')) ?? '1px';
        return this.tree.element(
          'mj-divider',
          { ...block, ...line, 'border-width': width },
          source,
        );
      }
      case 'Spacer':
        return this.tree.element(
          'mj-spacer',
          { height: pixels(at(props, 'height')) ?? '16px' },
          source,
        );
      default:
        this.report.add('lost', source, `Galley does not know blocks of the type ${type}.`);
        return undefined;
    }
  }

  private button(props: DocumentNode, block: Attributes, source: string): MjmlElement {
    const attributes = {
      align: 'left',
      'font-size': '16px',
      'font-weight': 'bold',
      'line-height': '1.5',
      ...block,
      'background-color': at(props, 'buttonBackgroundColor') ?? '#999999',
      'border-radius': RADII[at(props, 'buttonStyle') ?? 'rounded'],
      color: at(props, 'buttonTextColor') ?? '#FFFFFF',
      'inner-padding': BUTTON_PADDINGS[at(props, 'size') ?? 'medium'],
      ...(props['fullWidth'] === true && { width: '100%' }),
      href: at(props, 'url'),
    };
    return this.tree.element('mj-button', attributes, source, escapeText(at(props, 'text') ?? ''));
  }

  private image(type: string, props: DocumentNode, block: Attributes, source: string): MjmlElement {
    const isAvatar = type === 'Avatar';
    const size = pixels(at(props, isAvatar ? 'size' : 'width')) ?? (isAvatar ? '64px' : undefined);
    const shape = at(props, 'shape') ?? 'square';
    const radius = shape === 'circle' ? '50%' : shape === 'rounded' ? '6px' : undefined;
    const attributes = {
      align: isAvatar ? 'left' : 'center',
      ...block,
      src: at(props, isAvatar ? 'imageUrl' : 'url'),
      alt: at(props, 'alt'),
      href: at(props, 'linkHref'),
      width: size,
      height: isAvatar ? size : pixels(at(props, 'height')),
      ...(isAvatar && { 'border-radius': radius }),
    };
    return this.tree.element('mj-image', attributes, source);
  }
}

const idsIn = (ids: unknown): string[] =>
  Array.isArray(ids) ? ids.filter((id): id is string => typeof id === 'string') : [];

/** The `style` of a block, with the names of MJML. */
function styleOf(data: DocumentNode): Record<string, string> {
  const style = objectIn(data, 'style');
  const family = at(style, 'fontFamily');
  const values = {
    padding: paddingOf(style['padding']),
    align: at(style, 'textAlign'),
    color: at(style, 'color'),
    'background-color': at(style, 'backgroundColor'),
    'font-size': pixels(at(style, 'fontSize')),
    'font-weight': at(style, 'fontWeight'),
    'font-family': family === undefined ? undefined : FONTS[family],
  };
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
