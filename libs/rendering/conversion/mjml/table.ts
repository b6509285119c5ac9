import { escapeText, type DocumentNode } from '../../document/index.js';
import { readTable } from '../galley-mjml/table.js';
import { attributesSet } from './element-attributes.js';
import type { MjmlElement } from './mjml-element.js';
import type { MjmlRun, Surroundings } from './mjml-run.js';
import { htmlBlock } from './raw.js';
import { readRichContent } from '../html/rich-content.js';

const OF_TABLE = ['color', 'font-family', 'font-size', 'line-height', 'width', 'border'];
const OF_BLOCK = /^(?:align|container-background-color|css-class|padding.*)$/;

/**
 * Keeps a table of another author as HTML. The cells of a table in MJML are HTML with any styles, while Galley draws the cells of its own
 * tables.
 */
export function importTable(
  run: MjmlRun,
  element: MjmlElement,
  around: Surroundings,
): DocumentNode {
  const attributes = run.allAttributes(element, around);
  const ofCells = attributesSet(run.head, element, around.classAround)['cellpadding'];
  const ofGalley = readTable(element.content, ofCells, run.direction);
  if (ofGalley !== undefined) {
    run.report.count('table');
    const { cellpadding: _ofMjml, ...others } = attributes;
    const { linkColour } = readRichContent(element.content);
    const ofTable = { ...others, ...(ofCells !== undefined && { cellpadding: ofCells }) };
    const props = run.node('table', element, ofTable, { linkColour });
    return { type: 'table', props: Object.assign(props, ofGalley) };
  }
  const { cellpadding = '0', cellspacing = '0', width = '100%' } = attributes;
  const style = OF_TABLE.flatMap((name) =>
    attributes[name] === undefined ? [] : [`${name}:${attributes[name]}`],
  );
  if (Number(cellspacing) > 0) style.push('border-collapse:separate');
  const values = {
    cellpadding,
    cellspacing,
    width: width.replace(/px$/, ''),
    border: '0',
    style: style.join(';'),
  };
  const written = Object.entries(values).map(([name, value]) => ` ${name}="${escapeText(value)}"`);
  const html = `<table${written.join('')}>${element.content}</table>`;
  const ofBlock = Object.entries(attributes).filter(([name]) => OF_BLOCK.test(name));
  return htmlBlock(
    run,
    element,
    around,
    Object.fromEntries(ofBlock),
    html,
    'The table is HTML, because its cells have styles of their own.',
  );
}
