import {
  CELL_PROPERTIES,
  elementsOf,
  isList,
  pick,
  richTextOf,
  styleBlock,
  type Block,
} from './block.js';
import { attributesOf, SIDES, TABLE_COLUMN } from '../attributes.js';
import type { Attributes, Place } from '../../../document/index.js';
import type { Drawing } from '../drawing.js';
import type { MjmlNode } from '../mjml-node.js';

const PADDING = 8;
const GAP = 16;
const LINE = '1px solid #d5dae0';

/** Draws a table. MJML draws only the table around the rows, so the cells carry their own styles. */
export function drawTable(block: Block): MjmlNode {
  const { drawing, place, props } = block;
  const { attributes, properties, textStyle } = styleBlock(block, 'table');
  const styles = cellStyles(block, properties);
  const rowOf = (name: string, cells: unknown, tag: 'th' | 'td') => {
    const texts = drawing.valueOr([], place, name, cells, isList);
    const drawn = texts.map((text, index) => {
      const style = styles(tag, index, index === texts.length - 1);
      const cell = `<${tag} style="${style}">${richTextOf(block, name, text, textStyle)}</${tag}>`;
      drawing.countCharacters(cell.length);
      return cell;
    });
    return `<tr>${drawn.join('')}</tr>`;
  };
  const head = props['header'] === undefined ? '' : rowOf('header', props['header'], 'th');
  const body = elementsOf(block, 'rows', 'cells', (cells) => rowOf('rows', cells, 'td'));
  return { tagName: 'mj-table', attributes, content: head + body };
}

/** Returns a function that writes the style of a cell. Cells in the same place of their rows share a style. */
function cellStyles({ drawing, place, props, document }: Block, properties: Attributes) {
  const list = { node: props, path: `${place.path}/props` };
  const columns = new Map(
    drawing.placesIn(list, 'columns').map((column) => [
      // Elements that are not objects have been left out, so the index is in the path.
      Number(column.path.slice(column.path.lastIndexOf('/') + 1)),
      columnStyle(drawing, column),
    ]),
  );
  const ofCells = Object.fromEntries(CELL_PROPERTIES.map((name) => [name, props[name] ?? '']));
  const {
    'cell-padding': cellPadding,
    'row-border': line,
    ...ofTable
  }: Attributes = {
    ...pick(document.own.table ?? {}, CELL_PROPERTIES),
    ...attributesOf(drawing, place, ofCells, 'mj-table'),
  };
  const start = SIDES['start']?.[drawing.direction] ?? 'left';
  const end = SIDES['end']?.[drawing.direction] ?? 'right';
  // Tables for which the document sets a padding of cells get no other.
  const isPadded = properties['cellpadding'] === undefined;
  const styles = new Map<string, string>();
  const write = (tag: 'th' | 'td', column: Record<string, string>, isLast: boolean): string => {
    const declarations: Record<string, string> = {
      'text-align': start,
      'vertical-align': 'top',
      ...(isPadded && {
        padding: `${PADDING}px 0`,
        [`padding-${end}`]: isLast ? '0' : `${GAP}px`,
        'border-bottom': LINE,
      }),
      ...(cellPadding !== undefined && { padding: cellPadding, [`padding-${end}`]: '' }),
      ...(line !== undefined && { 'border-bottom': line }),
      // MJML breaks words anywhere on a narrow screen, which would split short headings and amounts.
      ...(tag === 'th' && { 'word-break': 'normal' }),
      ...(tag === 'td' && column['text-align'] === end && { 'white-space': 'nowrap' }),
      ...(tag === 'td' && ofTable),
      ...column,
    };
    return Object.entries(declarations)
      .filter(([, value]) => value !== '')
      .map(([name, value]) => `${name}:${value}`)
      .join(';');
  };
  return (tag: 'th' | 'td', index: number, isLast: boolean): string => {
    // Columns for which the document sets nothing look alike.
    const key = `${tag} ${isLast} ${columns.has(index) ? index : ''}`;
    const style = styles.get(key) ?? write(tag, columns.get(index) ?? {}, isLast);
    styles.set(key, style);
    return style;
  };
}

function columnStyle(drawing: Drawing, column: Place): Record<string, string> {
  const { align, ...others } = attributesOf(drawing, column, column.node, TABLE_COLUMN);
  return { ...others, ...(align !== undefined && { 'text-align': align }) };
}
