import { widthInside } from '../../drawing/index.js';
import type { DocumentNode } from '../../document/index.js';
import { isEmpty, parseHtml } from '../html/parse-html.js';
import { importBlocks } from './blocks.js';
import { importContainers } from './columns.js';
import { unknownElement, type MjmlElement } from './mjml-element.js';
import { classInside, type MjmlRun, type Surroundings } from './mjml-run.js';
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
  return withClasses(
    run.styles.ofGalley,
    { type: 'wrapper', styles, stripes },
    'mj-wrapper',
    styles,
  );
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
  return withClasses(
    run.styles.ofGalley,
    { type: 'stripe', styles, structures },
    'mj-wrapper',
    styles,
  );
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
  const { containers, isStacked } = importContainers(run, element, inner, around.path);
  const stripe = { type, styles, ...(!isStacked && { mobile: { stack: false } }), containers };
  return withClasses(run.styles.ofGalley, stripe, 'mj-section', styles);
}
