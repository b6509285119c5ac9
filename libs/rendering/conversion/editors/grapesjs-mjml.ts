import { escapeText, isObject, type DocumentNode } from '../../document/index.js';
import type { MjmlElement } from '../mjml/mjml-element.js';
import { NotImportable } from '../not-importable.js';
import type { Report } from '../report.js';
import { at, objectsIn, Tree, type Attributes } from './tree.js';

/** Reads a project of GrapesJS with the MJML preset, or one of its components. */
export function readGrapesJs(_report: Report, project: DocumentNode): MjmlElement {
  const found = findMjml(project, '');
  if (found === undefined) throw new NotImportable('it has no component of the type mjml.');
  return readComponent(new Tree(), found.node, found.source);
}

/** Searches a project for the root of its MJML: `pages`, `frames`, `component`, `components`. */
function findMjml(
  node: DocumentNode,
  source: string,
): { node: DocumentNode; source: string } | undefined {
  if (tagOf(node) === 'mjml') return { node, source };
  const { component } = node;
  const inside = ['pages', 'frames', 'components'].flatMap((name) =>
    objectsIn(node[name], `${source}/${name}`),
  );
  if (isObject(component)) inside.push({ node: component, source: `${source}/component` });
  for (const each of inside) {
    const found = findMjml(each.node, each.source);
    if (found !== undefined) return found;
  }
  return undefined;
}

const tagOf = (component: DocumentNode): string =>
  at(component, 'tagName') ?? at(component, 'type') ?? '';

const attributesOf = ({ attributes }: DocumentNode): Attributes =>
  isObject(attributes)
    ? Object.fromEntries(Object.keys(attributes).map((name) => [name, at(attributes, name)]))
    : {};

function readComponent(tree: Tree, component: DocumentNode, source: string): MjmlElement {
  const components = objectsIn(component['components'], `${source}/components`);
  const isMjml = ({ node }: { node: DocumentNode }) => tagOf(node).startsWith('mj');
  const tagName = tagOf(component);
  if (components.some(isMjml)) {
    const children = components
      .filter(isMjml)
      .map(({ node, source: place }) => readComponent(tree, node, place));
    return tree.element(tagName, attributesOf(component), source, children);
  }
  return tree.element(tagName, attributesOf(component), source, htmlIn(component));
}

/** The HTML inside a component: its text, and the components that are no MJML. */
function htmlIn(component: DocumentNode): string {
  const { components } = component;
  const content = typeof components === 'string' ? components : (at(component, 'content') ?? '');
  return (
    content +
    objectsIn(components, '')
      .map(({ node }) => htmlOf(node))
      .join('')
  );
}

const VOID = ['br', 'hr', 'img'];

function htmlOf(component: DocumentNode): string {
  const inside = htmlIn(component);
  const type = at(component, 'type');
  const tagName = at(component, 'tagName') ?? (type === 'link' ? 'a' : undefined);
  if (type === 'textnode' || tagName === undefined) return inside;
  const name = tagName.replace(/[^\w-]/g, '');
  const written = Object.entries(attributesOf(component)).map(
    ([key, value]) => ` ${key.replace(/[^\w-]/g, '')}="${escapeText(String(value ?? ''))}"`,
  );
  const open = `<${name}${written.join('')}>`;
  return VOID.includes(name) ? open : `${open}${inside}</${name}>`;
}
