import type { DocumentNode } from '../../document/index.js';
import { readRichContent, type RichContent } from '../html/rich-content.js';
import { defaultsOf } from './element-attributes.js';
import { childrenNamed, type MjmlElement } from './mjml-element.js';
import { classInside, type MjmlRun, type Surroundings } from './mjml-run.js';
import { reportRemoved } from './raw.js';

const TITLE = 'mj-accordion-title';
const TEXT = 'mj-accordion-text';
// Galley gives all accordions these styles: see `default-attributes.ts`.
const TITLE_STYLES = { 'font-weight': 'bold', padding: '12px 16px' };
const TEXT_STYLES = { padding: '12px 16px 16px' };
/** The text styles that a document sets for the titles and texts of an accordion together. */
const SHARED = ['font-family', 'font-size', 'line-height', 'color'];
const ICONS = ['icon-wrapped-url', 'icon-unwrapped-url'];

export function importAccordion(
  run: MjmlRun,
  element: MjmlElement,
  around: Surroundings,
): DocumentNode {
  run.report.count('accordion');
  const parts = childrenNamed(element, 'mj-accordion-element').map((part) => ({
    part,
    title: childrenNamed(part, TITLE)[0],
    text: childrenNamed(part, TEXT)[0],
  }));
  const inner = { ...around, classAround: classInside(element, around) };
  const attributesOf = (one: MjmlElement | undefined) => (one ? run.allAttributes(one, inner) : {});
  const [first] = parts;
  const ofText = attributesOf(first?.text);
  const isApproximated = parts.some(({ part, title, text }) => {
    const ofTitle = attributesOf(title);
    return (
      differs(ofTitle, { ...ofText, ...TITLE_STYLES }, ['line-height']) ||
      differs(attributesOf(text), { ...ofText, ...TEXT_STYLES }) ||
      Object.keys(part.attributes).length > 0
    );
  });
  const ofAccordion = run.allAttributes(element, around);
  const isDefault = (name: string) => defaultsOf('mj-accordion')[name] === ofAccordion[name];
  if (isApproximated || ICONS.some(isDefault)) {
    run.report.add(
      'approximated',
      element.source,
      'In Galley, all titles of accordions are bold, and titles and texts share their text styles and have paddings of their own. Icons that the MJML does not set are those of Galley.',
      around.path,
    );
  }
  const drawn = Object.entries({
    ...ofAccordion,
    color: '#000000',
    ...pickText(ofText),
  }).filter(([name]) => !ICONS.includes(name) || !isDefault(name));
  const texts = parts.map(({ title, text }) => [
    richTextIn(run, title, around.path),
    richTextIn(run, text, around.path),
  ]);
  const elements = texts.map(([title, text]) => ({
    title: title?.html ?? '',
    content: text?.html ?? '',
  }));
  // The texts of an accordion share a colour of links.
  const linkColour = texts.flat().find((text) => text?.linkColour)?.linkColour;
  const props = run.node('accordion', element, Object.fromEntries(drawn), { linkColour });
  return { type: 'accordion', props: Object.assign(props, { elements }) };
}

const pickText = (attributes: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(attributes).filter(([name]) => SHARED.includes(name)));

/** Whether the styles differ from those that Galley draws. */
function differs(
  styles: Record<string, string>,
  drawn: Record<string, string>,
  ignored: readonly string[] = [],
): boolean {
  const names = new Set([...Object.keys(styles), ...Object.keys(drawn)]);
  return [...names].some((name) => !ignored.includes(name) && styles[name] !== drawn[name]);
}

function richTextIn(
  run: MjmlRun,
  element: MjmlElement | undefined,
  path: string,
): RichContent | undefined {
  if (element === undefined) return undefined;
  const content = readRichContent(run.styles.inline(element.content));
  reportRemoved(run, element, path, [
    ...content.htmlTags.map((tag) => `<${tag}>`),
    ...content.removed,
  ]);
  return content;
}
