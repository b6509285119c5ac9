import type { DocumentNode } from '../../document/index.js';

const VISIBILITY = /^galley-(mobile|desktop)-only$/;
const OF_GALLEY = /^galley-/;

/**
 * Reads the classes that Galley gives to the nodes of its own MJML. A class of another author stays.
 *
 * @param properties the properties of the node, from which the classes of Galley are removed.
 */
export function withVisibility(
  node: DocumentNode,
  properties: Record<string, string>,
): DocumentNode {
  const { 'css-class': classes } = properties;
  if (classes === undefined) return node;
  const names = classes.split(/\s+/);
  const others = names.filter((name) => !OF_GALLEY.test(name));
  if (others.length > 0) properties['css-class'] = others.join(' ');
  else delete properties['css-class'];
  const [visibility] = names.flatMap((name) => VISIBILITY.exec(name)?.slice(1) ?? []);
  return visibility === undefined ? node : { ...node, visibility };
}
