import { COLUMNS, widthInside } from '../../drawing/index.js';
import type { DocumentNode } from '../../document/index.js';
import { withClasses } from '../galley-mjml/rules.js';
import { isEmpty, parseHtml } from '../html/parse-html.js';
import { importBlocks } from './blocks.js';
import { childrenNamed, unknownElement, type MjmlElement } from './mjml-element.js';
import { classInside, type MjmlRun, type Surroundings } from './mjml-run.js';

/**
 * Imports the columns of a section.
 *
 * @param path a JSON Pointer to the stripe.
 */
export function importContainers(
  run: MjmlRun,
  section: MjmlElement,
  around: Surroundings,
  path: string,
): { containers: DocumentNode[]; isStacked: boolean } {
  const columns = columnsIn(run, section);
  const [group, ...others] = columns;
  if (group?.tagName !== 'mj-group' || others.length > 0) {
    return { containers: importColumns(run, columns, around), isStacked: true };
  }
  const attributes = run.allAttributes(group, around);
  warnOfGroup(run, group, attributes, path);
  const containers = importColumns(run, columnsIn(run, group), {
    ...around,
    width: columnWidth(attributes, around.width, 1),
    classAround: classInside(group, around),
  });
  return { containers, isStacked: false };
}

const WITHOUT_EFFECT_OF_GROUP = ['direction', 'css-class', 'mj-class', 'font-family'];

function warnOfGroup(
  run: MjmlRun,
  { source, attributes }: MjmlElement,
  { width = '100%' }: Record<string, string>,
  path: string,
): void {
  const names = Object.keys(attributes).filter(
    (name) => !WITHOUT_EFFECT_OF_GROUP.includes(name) && (name !== 'width' || width !== '100%'),
  );
  if (names.length === 0) return;
  run.report.add('lost', source, `Galley has no ${names.join(', ')} of mj-group.`, path);
}

/** The columns and groups of a section, or the columns of a group. */
function columnsIn(run: MjmlRun, element: MjmlElement): MjmlElement[] {
  return element.children.filter(({ tagName, source, content }) => {
    const isGroup = tagName === 'mj-group' && element.tagName === 'mj-section';
    if (tagName === 'mj-column' || isGroup) return true;
    if (tagName !== 'mj-raw' || !isEmpty(parseHtml(content))) {
      run.report.add('lost', source, unknownElement(tagName));
    }
    return false;
  });
}

function importColumns(
  run: MjmlRun,
  columns: readonly MjmlElement[],
  around: Surroundings,
): DocumentNode[] {
  const widths = columns.map((column) => run.allAttributes(column, around)['width']);
  // MJML gives columns without a width an equal share of all, also beside columns that set one.
  const isMixed = new Set(widths.map((width) => width === undefined)).size > 1;
  const share = isMixed ? `${100 / columns.length}%` : undefined;
  return columns.map((column, index) => {
    const place = {
      ...around,
      path: `${around.path}/${index}`,
      isShared: around.isShared || columns.length > 1,
    };
    const importOne = column.tagName === 'mj-group' ? importGroup : importColumn;
    return importOne(run, column, place, columns.length, share);
  });
}

/** The width of a column, in pixels. */
function columnWidth(
  { width }: Record<string, string>,
  around: number | undefined,
  count: number,
): number | undefined {
  if (around === undefined) return undefined;
  const [, number = String(100 / count), unit = '%'] = /^([\d.]+)(px|%)$/.exec(width ?? '') ?? [];
  return unit === '%' ? (around * Number(number)) / 100 : Number(number);
}

function importColumn(
  run: MjmlRun,
  element: MjmlElement,
  around: Surroundings,
  count: number,
  share?: string,
): DocumentNode {
  run.report.count('container');
  const attributes = run.allAttributes(element, around);
  const styles = run.node('container', element, {
    ...(share !== undefined && { width: share }),
    ...attributes,
  });
  const inner = {
    ...around,
    path: `${around.path}/blocks`,
    width: widthInside(columnWidth(attributes, around.width, count), attributes),
    classAround: classInside(element, around),
  };
  const [columns] = childrenNamed(element, COLUMNS);
  const blocks = columns
    ? importInnerColumns(run, columnsIn(run, columns), { ...inner, isShared: true })
    : importBlocks(run, element.children, inner);
  return withClasses(
    run.styles.ofGalley,
    { type: 'container', styles, blocks },
    'mj-column',
    styles,
  );
}

/** A group beside other columns becomes a container with columns, which phones show below each other. */
function importGroup(
  run: MjmlRun,
  element: MjmlElement,
  around: Surroundings,
  count: number,
  share?: string,
): DocumentNode {
  run.report.count('container');
  run.report.add(
    'approximated',
    element.source,
    'Phones show the columns of this mj-group below each other.',
    around.path,
  );
  const attributes = run.allAttributes(element, around);
  const { width = share ?? `${100 / count}%`, 'background-color': background } = attributes;
  const styles = run.node(
    'column',
    element,
    { width, ...(background !== undefined && { 'background-color': background }) },
    { tagName: 'mj-column' },
  );
  const blocks = importInnerColumns(run, columnsIn(run, element), {
    ...around,
    path: `${around.path}/blocks`,
    width: columnWidth({ width }, around.width, count),
    isShared: true,
    classAround: classInside(element, around),
  });
  return { type: 'container', styles, blocks };
}

/** Columns inside a container. */
const importInnerColumns = (
  run: MjmlRun,
  columns: readonly MjmlElement[],
  around: Surroundings,
): DocumentNode[] =>
  columns.map((column, index) => {
    run.report.count('column');
    const attributes = run.allAttributes(column, around);
    const props = run.node('column', column, attributes);
    const blocks = importBlocks(run, column.children, {
      ...around,
      path: `${around.path}/${index}/blocks`,
      width: widthInside(columnWidth(attributes, around.width, columns.length), attributes),
      classAround: classInside(column, around),
    });
    return withClasses(run.styles.ofGalley, { type: 'column', props, blocks }, 'mj-column', props);
  });
