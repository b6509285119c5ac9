import { widthInside } from '../../drawing/index.js';
import { objectIn, type DocumentNode } from '../../document/index.js';
import { isEmpty, parseHtml } from '../html/parse-html.js';
import { readRichContent } from '../html/rich-content.js';
import { importAccordion } from './accordion.js';
import { readHeading, readList } from '../galley-mjml/texts.js';
import { importMenu, importSocial } from './links.js';
import { unknownElement, type MjmlElement } from './mjml-element.js';
import type { MjmlRun, Surroundings } from './mjml-run.js';
import { htmlBlock, rawBlock, reportRemoved } from './raw.js';
import type { NodeKind } from './shared-styles.js';
import { importTable } from './table.js';
import { isDarkPicture, withClasses } from '../galley-mjml/rules.js';

type ImportBlock = (
  run: MjmlRun,
  element: MjmlElement,
  around: Surroundings,
) => DocumentNode | undefined;

const importers: Readonly<Record<string, ImportBlock>> = {
  'mj-text': importText,
  'mj-image': importImage,
  'mj-button': importButton,
  'mj-divider': (run, element, around) => importEmpty(run, element, around, 'divider'),
  'mj-spacer': (run, element, around) => importEmpty(run, element, around, 'spacer'),
  'mj-table': importTable,
  'mj-accordion': importAccordion,
  'mj-navbar': importMenu,
  'mj-social': importSocial,
  'mj-carousel': importCarousel,
  'mj-raw': importRaw,
  // Other editors have headings and videos, which MJML does not have.
  'galley-heading': importHeading,
  'galley-video': importVideo,
};

/** The elements of MJML that draw the blocks of other editors. */
const ELEMENTS: Readonly<Record<string, string>> = {
  'galley-heading': 'mj-text',
  'galley-video': 'mj-image',
};

/** Imports the elements of a column or hero. */
export function importBlocks(
  run: MjmlRun,
  elements: readonly MjmlElement[],
  around: Surroundings,
): DocumentNode[] {
  const blocks: DocumentNode[] = [];
  for (const element of elements) {
    const { tagName, source } = element;
    const importer = Object.hasOwn(importers, tagName) ? importers[tagName] : undefined;
    if (importer === undefined) run.report.add('lost', source, unknownElement(tagName));
    const last = blocks.at(-1);
    if (last !== undefined && isDarkPicture(element.attributes['css-class'])) {
      const { src } = element.attributes;
      blocks[blocks.length - 1] = { ...last, dark: { ...objectIn(last, 'dark'), src } };
      continue;
    }
    const block = importer?.(run, element, { ...around, path: `${around.path}/${blocks.length}` });
    if (block === undefined) continue;
    const props = block['props'] as Record<string, string>;
    blocks.push(withClasses(run.styles.ofGalley, block, ELEMENTS[tagName] ?? tagName, props));
  }
  return blocks;
}

function importText(run: MjmlRun, element: MjmlElement, around: Surroundings): DocumentNode {
  const attributes = run.allAttributes(element, around);
  const ofGalley = readHeading(element.content, attributes) ?? readList(element.content);
  if (ofGalley !== undefined) {
    const { type, kind, props } = ofGalley;
    run.report.count(type);
    const { linkColour } = readRichContent(element.content);
    const properties = run.node(kind, element, attributes, { linkColour });
    return { type, props: Object.assign(properties, props) };
  }
  const inlined = run.styles.inline(element.content);
  const { html, htmlTags, removed, linkColour } = readRichContent(inlined, attributes['font-size']);
  if (htmlTags.length > 0) {
    const why = `A text block cannot have ${htmlTags.map((tag) => `<${tag}>`).join(', ')}.`;
    return htmlBlock(run, element, around, attributes, element.content, why);
  }
  run.report.count('text');
  reportRemoved(run, element, around.path, removed);
  const props = run.node('text', element, attributes, { linkColour });
  return { type: 'text', props: Object.assign(props, { content: html }) };
}

function importImage(run: MjmlRun, element: MjmlElement, around: Surroundings): DocumentNode {
  // Galley's own MJML has videos.
  if (element.attributes['play-button'] !== undefined) return importVideo(run, element, around);
  run.report.count('image');
  const attributes = run.allAttributes(element, around);
  const isFluid = attributes['fluid-on-mobile'] === 'true';
  if (isFluid && attributes['width'] !== undefined) {
    const what = 'On phones, the picture does not become wider, because it has a width.';
    run.report.add('approximated', element.source, what, around.path);
  }
  const fills = isFluid || run.styles.ofGalley.fillsPhones(attributes['css-class']);
  const width = fills ? undefined : widthOf(attributes, around);
  return {
    type: 'image',
    props: run.node('image', element, { ...(width !== undefined && { width }), ...attributes }),
  };
}

/**
 * The width of a picture beside others. In Galley, a picture without a width fills the whole window on phones; in MJML,
 * the picture stays as wide as its column.
 */
function widthOf(
  attributes: Record<string, string>,
  { width, isShared }: Surroundings,
): string | undefined {
  if (!isShared || width === undefined) return undefined;
  const inside = Math.floor(widthInside(width, attributes) ?? 0);
  return inside > 0 ? `${inside}px` : undefined;
}

function importButton(run: MjmlRun, element: MjmlElement, around: Surroundings): DocumentNode {
  run.report.count('button');
  const { html, htmlTags, removed } = readRichContent(run.styles.inline(element.content));
  const lost = [...htmlTags.map((tag) => `<${tag}>`), ...removed];
  reportRemoved(run, element, around.path, lost);
  const props = run.node('button', element, run.allAttributes(element, around));
  return { type: 'button', props: Object.assign(props, { content: html }) };
}

function importEmpty(
  run: MjmlRun,
  element: MjmlElement,
  around: Surroundings,
  type: 'divider' | 'spacer',
): DocumentNode {
  run.report.count(type);
  return { type, props: run.node(type, element, run.allAttributes(element, around)) };
}

/** Galley has no carousel. Most mail clients show the first picture alone. */
function importCarousel(
  run: MjmlRun,
  element: MjmlElement,
  around: Surroundings,
): DocumentNode | undefined {
  const [first] = element.children;
  if (first === undefined) return undefined;
  const others = element.children.length - 1;
  run.report.add(
    'approximated',
    element.source,
    `Galley has no carousel: the first picture is an image, and ${others} others are lost.`,
    around.path,
  );
  const ofCarousel = run.allAttributes(element, around);
  const image = run.allAttributes(first, around);
  const names = ['align', 'border-radius', 'container-background-color', 'padding'];
  const shared = Object.entries(ofCarousel).filter(([name]) =>
    names.some((each) => name === each || name.startsWith(`${each}-`)),
  );
  run.report.count('image');
  const attributes = { padding: '0', ...Object.fromEntries(shared), ...image };
  return { type: 'image', props: run.node('image', element, attributes, { tagName: 'mj-image' }) };
}

function importRaw(
  run: MjmlRun,
  element: MjmlElement,
  around: Surroundings,
): DocumentNode | undefined {
  // Comments are for people who read the MJML, or for Outlook.
  return isEmpty(parseHtml(element.content)) ? undefined : rawBlock(run, element, around);
}

function importHeading(run: MjmlRun, element: MjmlElement, around: Surroundings): DocumentNode {
  const { level = '2', ...attributes } = element.attributes;
  run.report.count('heading');
  const { html, htmlTags, removed, linkColour } = readRichContent(element.content);
  reportRemoved(run, element, around.path, [...htmlTags.map((tag) => `<${tag}>`), ...removed]);
  const text = { ...element, tagName: 'mj-text', attributes };
  const all = run.allAttributes(text, around);
  const props = run.node(`heading${level}` as NodeKind, text, all, { linkColour });
  return {
    type: 'heading',
    props: Object.assign(props, { content: html, ...(level !== '2' && { level: Number(level) }) }),
  };
}

function importVideo(run: MjmlRun, element: MjmlElement, around: Surroundings): DocumentNode {
  run.report.count('video');
  const { src, href } = element.attributes;
  const image = { ...element, tagName: 'mj-image' };
  const { src: _poster, href: _video, ...all } = run.allAttributes(image, around);
  const props = run.node('image', image, all);
  return {
    type: 'video',
    props: Object.assign(props, {
      ...(href !== undefined && { src: href }),
      ...(src !== undefined && { poster: src }),
      ...(element.attributes['play-button'] !== undefined && { 'play-button': true }),
    }),
  };
}
