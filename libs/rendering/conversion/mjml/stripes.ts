import { COLUMNS, widthInside } from '../../drawing/index.js';
import type { DocumentNode } from '../../document/index.js';
import { isEmpty, parseHtml } from '../html/parse-html.js';
import { importBlocks } from './blocks.js';
import { childrenNamed, unknownElement, type MjmlElement } from './mjml-element.js';
import type { MjmlRun, Surroundings } from './mjml-run.js';
import { rawBlock } from './raw.js';
import { withClasses } from '../galley-mjml/rules.js';

/** Imports the sections, wrappers and heroes of a body or of a wrapper. */
export function importStripes(
  run: MjmlRun,
  elements: readonly MjmlElement[],
  around: Surroundings,
): DocumentNode[] {
  const stripes: DocumentNode[] = [];
  for (const element of elements) {
    const inner = { ...around, path: `${around.path}/${stripes.length}` };
    const stripe = importStripe(run, element, inner);
    if (stripe !== undefined) stripes.push(stripe);
  }
  return stripes;
}

function importStripe(
  run: MjmlRun,
  element: MjmlElement,
  around: Surroundings,
): DocumentNode | undefined {
  switch (element.tagName) {
    case 'mj-section':
      return importSection(run, element, around);
    case 'mj-wrapper':
      return importWrapper(run, element, around);
    case 'mj-hero':
      return importHero(run, element, around);
    case 'mj-raw':
      return importRaw(run, element, around);
    default:
      run.report.add('lost', element.source, unknownElement(element.tagName));
      return undefined;
  }
}

const classInside = ({ attributes }: MjmlElement, { classAround }: Surroundings): string =>
  attributes['mj-class'] ?? classAround;

function importWrapper(run: MjmlRun, element: MjmlElement, around: Surroundings): DocumentNode {
  if (around.isInWrapper) return importRows(run, element, around);
  run.report.count('wrapper');
  const attributes = run.allAttributes(element, around);
  const styles = run.node('wrapper', element, attributes);
  const stripes = importStripes(run, element.children, {
    ...around,
    path: `${around.path}/stripes`,
    width: widthInside(around.width, attributes),
    classAround: classInside(element, around),
    isInWrapper: true,
  });
  return withClasses(run.styles.ofGalley, { type: 'wrapper', styles, stripes }, 'mj-wrapper', styles);
}

/** A wrapper inside a wrapper, which Galley writes for a stripe with several rows. */
function importRows(run: MjmlRun, element: MjmlElement, around: Surroundings): DocumentNode {
  run.report.count('stripe');
  const attributes = run.allAttributes(element, around);
  const styles = run.node('stripe', element, attributes);
  const inner = {
    ...around,
    width: widthInside(around.width, attributes),
    classAround: classInside(element, around),
  };
  const sections = element.children.filter(({ tagName, source }) => {
    if (tagName === 'mj-section') return true;
    if (tagName !== 'mj-raw') run.report.add('lost', source, unknownElement(tagName));
    return false;
  });
  const structures = sections.map((section, index) =>
    importSection(
      run,
      section,
      { ...inner, path: `${around.path}/structures/${index}` },
      'structure',
    ),
  );
  return withClasses(run.styles.ofGalley, { type: 'stripe', styles, structures }, 'mj-wrapper', styles);
}

function importHero(run: MjmlRun, element: MjmlElement, around: Surroundings): DocumentNode {
  run.report.count('hero');
  const attributes = run.allAttributes(element, around);
  if (attributes['mode'] === 'fluid-height') {
    run.report.add(
      'approximated',
      element.source,
      'The hero has a fixed height: Galley has no fluid height.',
      around.path,
    );
  }
  const styles = run.node('hero', element, attributes);
  const blocks = importBlocks(run, element.children, {
    ...around,
    path: `${around.path}/blocks`,
    width: widthInside(around.width, attributes),
    classAround: classInside(element, around),
  });
  return withClasses(run.styles.ofGalley, { type: 'hero', styles, blocks }, 'mj-hero', styles);
}

/** HTML between sections becomes a stripe of its own. */
function importRaw(
  run: MjmlRun,
  element: MjmlElement,
  around: Surroundings,
): DocumentNode | undefined {
  // Comments are for people who read the MJML, or for Outlook.
  if (isEmpty(parseHtml(element.content))) return undefined;
  const path = `${around.path}/containers/0/blocks/0`;
  const block = rawBlock(run, element, { ...around, path });
  const styles = run.node('stripe', element, { padding: '0' }, { tagName: 'mj-section' });
  run.report.count('stripe');
  run.report.count('container');
  return { type: 'stripe', styles, containers: [{ type: 'container', blocks: [block] }] };
}

function importSection(
  run: MjmlRun,
  element: MjmlElement,
  around: Surroundings,
  type: 'stripe' | 'structure' = 'stripe',
): DocumentNode {
  const attributes = run.allAttributes(element, around);
  const styles = run.node(type, element, attributes);
  run.report.count(type);
  const inner = {
    ...around,
    path: `${around.path}/containers`,
    width: widthInside(around.width, attributes),
    classAround: classInside(element, around),
  };
  const columns = columnsIn(run, element);
  const [group, ...others] = columns;
  if (group?.tagName === 'mj-group' && others.length === 0) {
    const attributesOfGroup = run.allAttributes(group, inner);
    warnOfGroup(run, group, attributesOfGroup, around.path);
    const containers = importColumns(run, columnsIn(run, group), {
      ...inner,
      width: columnWidth(attributesOfGroup, inner.width, 1),
      classAround: classInside(group, inner),
    });
    const inRow = { type, styles, mobile: { stack: false }, containers };
    return withClasses(run.styles.ofGalley, inRow, 'mj-section', styles);
  }
  const stripe = { type, styles, containers: importColumns(run, columns, inner) };
  return withClasses(run.styles.ofGalley, stripe, 'mj-section', styles);
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
  return withClasses(run.styles.ofGalley, { type: 'container', styles, blocks }, 'mj-column', styles);
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
