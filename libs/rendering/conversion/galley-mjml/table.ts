import { Drawing, drawBlock, readStyles } from '../../drawing/index.js';
import { RenderWarnings, type Direction } from '../../document/index.js';
import { Placeholders } from '../../personalisation/index.js';
import { declarationsIn } from '../html/declarations.js';
import { htmlInside, parseHtml, type HtmlElement } from '../html/parse-html.js';

type Declarations = Map<string, string>;

// The values with which Galley draws a table that sets nothing: see `table.ts` of the drawing.
const PADDING = '8px 0';
const LINE = '1px solid #d5dae0';

/**
 * Reads a table whose cells have the styles of Galley. Returns the properties of the block, or undefined for a table of
 * another author.
 *
 * @param cellpadding the padding of cells that the element sets.
 */
export function readTable(
  content: string,
  cellpadding: string | undefined,
  direction: Direction,
): Record<string, unknown> | undefined {
  const rows = childrenOf(parseHtml(content), ['tr'])?.map((row) => childrenOf(row, ['th', 'td']));
  if (rows === undefined || rows.some((cells) => cells === undefined)) return undefined;
  const [first = [], ...others] = rows as HtmlElement[][];
  const hasHeader = first.length > 0 && first.every(({ name }) => name === 'th');
  const body = hasHeader ? others : [first, ...others];
  const styles = (body[0] ?? first).map(
    ({ attribs }): Declarations => new Map(declarationsIn(attribs['style'])),
  );
  const props = {
    ...(hasHeader && { header: first.map(htmlInside) }),
    rows: body.map((cells) => cells.map(htmlInside)),
    ...columnsOf(styles, direction),
    ...ofCells(styles[0] ?? new Map<string, string>()),
  };
  const asDrawn = { ...props, ...(cellpadding !== undefined && { cellpadding }) };
  return draw(asDrawn, direction) === content ? props : undefined;
}

/** The elements in a node, if it has only elements with these names, and only styles on them. */
function childrenOf(
  node: Parameters<typeof htmlInside>[0],
  names: readonly string[],
): HtmlElement[] | undefined {
  const elements = node.children.filter((child): child is HtmlElement => 'attribs' in child);
  const isPlain = elements.every(
    ({ name, attribs }) =>
      names.includes(name) && Object.keys(attribs).every((attribute) => attribute === 'style'),
  );
  return isPlain && elements.length === node.children.length ? elements : undefined;
}

function columnsOf(styles: readonly Declarations[], direction: Direction): { columns?: object[] } {
  const start = direction === 'rtl' ? 'right' : 'left';
  const columns = styles.map((style) => {
    const align = style.get('text-align');
    const width = style.get('width');
    return {
      ...(align !== undefined && align !== start && { align }),
      ...(width !== undefined && { width }),
    };
  });
  return columns.some((column) => Object.keys(column).length > 0) ? { columns } : {};
}

function ofCells(style: Declarations): Record<string, string> {
  const values = {
    'cell-padding': [style.get('padding'), PADDING],
    'row-border': [style.get('border-bottom'), LINE],
    'vertical-align': [style.get('vertical-align'), 'top'],
    'font-weight': [style.get('font-weight'), undefined],
  };
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, [value, byDefault]]) =>
      value === undefined || value === byDefault ? [] : [[name, value]],
    ),
  );
}

/** The rows as Galley draws them. */
function draw(props: Record<string, unknown>, direction: Direction): string | undefined {
  const document = { direction };
  const drawing = new Drawing(new Placeholders(), new RenderWarnings(), document);
  const surroundings = {
    drawing,
    document: readStyles(drawing, document),
    inherited: {},
    dark: {},
    staysLight: false,
  };
  const place = { node: { type: 'table', props }, path: '' };
  return drawBlock(surroundings, place)[0]?.content;
}
