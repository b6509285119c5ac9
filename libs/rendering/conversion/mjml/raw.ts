import type { DocumentNode } from '../../document/index.js';
import type { MjmlElement } from './mjml-element.js';
import type { MjmlRun, Surroundings } from './mjml-run.js';
import { readRichContent } from '../html/rich-content.js';

/** Turns HTML that Galley does not understand into an `html` block. */
export function htmlBlock(
  run: MjmlRun,
  element: MjmlElement,
  { path }: Surroundings,
  attributes: Record<string, string>,
  html: string,
  why: string,
): DocumentNode {
  run.report.count('html');
  run.report.add('kept-as-html', element.source, why, path);
  const content = run.styles.inline(html);
  const { removed, linkColour } = readRichContent(content);
  reportRemoved(run, element, path, removed);
  const props = run.node('html', element, attributes, { tagName: 'mj-text', linkColour });
  return { type: 'html', props: Object.assign(props, { content }) };
}

export function reportRemoved(
  run: MjmlRun,
  { source }: MjmlElement,
  path: string,
  removed: readonly string[],
): void {
  if (removed.length === 0) return;
  run.report.add('lost', source, `Galley removes ${removed.join(', ')} from HTML.`, path);
}

/** HTML has no padding in MJML. Other editors set one. */
export function rawBlock(run: MjmlRun, element: MjmlElement, around: Surroundings): DocumentNode {
  const attributes = { padding: '0', ...element.attributes };
  const why = 'Galley keeps HTML as it is.';
  return htmlBlock(run, element, around, attributes, element.content, why);
}
