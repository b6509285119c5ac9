import { attributeTypes, isDrawable } from '../../drawing/index.js';
import {
  defaultProperties,
  defaultTextStyles,
  FONT_SIZES,
  LINE_HEIGHTS,
  propertiesOfOneNode,
  styledNodes,
  type Direction,
  type StyledNode,
} from '../../document/index.js';
import { attributesOfHead, defaultsOf } from './element-attributes.js';
import type { Head } from './head.js';

type Attributes = Record<string, string>;

/** The nodes and links whose properties depend on the document. */
export type NodeKind =
  | StyledNode
  | 'html'
  | 'spacer'
  | 'wrapper'
  | 'structure'
  | 'hero'
  | 'column'
  | 'menu-link'
  | 'social-link';

/** A node, with all properties that it has in MJML. */
export interface ImportedNode {
  kind: NodeKind;
  tagName: string;
  properties: Attributes;
  /** The colour of the links in the node; undefined if there are none, or several colours. */
  linkColour?: string | undefined;
}

/** The kinds of nodes that MJML draws like their element alone. */
const SHARED: readonly NodeKind[] = Object.keys(styledNodes).filter(
  (kind) => !kind.startsWith('heading') && kind !== 'list',
) as StyledNode[];

/** The members of `styles` of a document that set text styles. */
export interface TextMembers {
  fontFamily?: string;
  fontSize?: number;
  lineHeight?: number;
  textColor?: string;
}

/** Reads the text styles of a whole document from the attributes of its texts. */
export function textMembersOf(head: Head): TextMembers {
  const values = { ...defaultsOf('mj-text'), ...attributesOfHead(head, 'mj-text') };
  const size = numberIn(/^([\d.]+)px$/.exec(values['font-size'] ?? '')?.[1], FONT_SIZES);
  const height = numberIn(values['line-height'], LINE_HEIGHTS);
  return {
    ...(values['font-family'] !== undefined && { fontFamily: values['font-family'] }),
    ...(size !== undefined && { fontSize: size }),
    ...(height !== undefined && { lineHeight: height }),
    ...(values['color'] !== undefined && { textColor: values['color'] }),
  };
}

/** The number in a text, if the document draws it as the same text. */
function numberIn(text = '', [least, most]: readonly [number, number]): number | undefined {
  const number = Number(text);
  const isSame = text !== '' && String(number) === text;
  return isSame && number >= least && number <= most ? number : undefined;
}

/**
 * Moves the properties that all nodes of a kind have to the styles of the document, and removes those that the nodes
 * have without being set. Changes the properties of the nodes.
 *
 * @returns the properties by kind, for `styles` of the document.
 */
export function shareStyles(
  { nodes, head, direction }: { nodes: readonly ImportedNode[]; head: Head; direction: Direction },
  members: TextMembers,
  linkColour: string | undefined,
): Partial<Record<StyledNode, Attributes>> {
  const texts: Attributes = {
    ...defaultTextStyles,
    ...(members.fontFamily !== undefined && { 'font-family': members.fontFamily }),
    ...(members.fontSize !== undefined && { 'font-size': `${members.fontSize}px` }),
    ...(members.lineHeight !== undefined && { 'line-height': String(members.lineHeight) }),
    ...(members.textColor !== undefined && { color: members.textColor }),
  };
  const shared: Partial<Record<StyledNode, Attributes>> = {};
  for (const kind of SHARED as readonly StyledNode[]) {
    const own = nodes.filter((node) => node.kind === kind);
    const properties = sharedOf(kind, own, head, baseOf(kind, texts, direction));
    if (Object.keys(properties).length > 0) shared[kind] = properties;
  }
  for (const node of nodes) {
    const base = {
      ...baseOf(node.kind, texts, direction),
      ...shared[node.kind as StyledNode],
    };
    removeBase(node, base);
    setLinkColour(node, linkColour ?? members.textColor);
  }
  return shared;
}

/** The colour that most links of a document have. */
export function commonLinkColour(nodes: readonly ImportedNode[]): string | undefined {
  const counts = new Map<string, number>();
  for (const { linkColour } of nodes) {
    if (linkColour !== undefined) counts.set(linkColour, (counts.get(linkColour) ?? 0) + 1);
  }
  const [most] = [...counts].sort(([, one], [, other]) => other - one);
  return most?.[0];
}

/** Sets the colour of links of a node, if the node would have another one from its text or from the document. */
function setLinkColour(
  { tagName, properties, linkColour }: ImportedNode,
  ofDocument: string | undefined,
): void {
  const inherited = properties['color'] ?? ofDocument;
  if (linkColour === undefined || linkColour === inherited) return;
  if (isDrawable(tagName, 'color', linkColour)) properties['link-color'] = linkColour;
}

/** The properties that a node has in Galley if neither the document nor the node sets them. */
function baseOf(kind: NodeKind, texts: Attributes, direction: Direction): Attributes {
  const { 'font-family': family = '', 'font-size': size = '', 'line-height': height = '' } = texts;
  const inherited = { 'font-size': size, 'line-height': height, color: texts['color'] ?? '' };
  const start = direction === 'rtl' ? 'right' : 'left';
  const { padding = '' } = defaultProperties.text;
  const general = kind.startsWith('heading') ? defaultProperties.heading : {};
  const own = { ...general, ...defaultProperties[kind as StyledNode] };
  const aligned = Object.fromEntries(
    Object.entries(own).map(([name, value]) => [name, value === 'start' ? start : value]),
  );
  const base = { 'font-family': family, ...aligned };
  if (kind === 'menu-link') {
    return { ...base, ...inherited, padding: '8px 12px', 'text-transform': 'none' };
  }
  if (kind === 'social' || kind === 'accordion') return { ...inherited, ...base };
  // Galley gives cells a padding unless the table sets one.
  if (kind === 'table') return { align: start, cellpadding: '', ...inherited, ...base };
  const isText = kind === 'text' || kind === 'html' || kind === 'list';
  if (isText || kind.startsWith('heading')) return { align: start, padding, ...inherited, ...base };
  if (kind === 'wrapper' || kind === 'structure') return { padding: '0' };
  if (kind === 'social-link') return {};
  return base;
}

/** The properties that a document sets for all nodes of a kind. */
function sharedOf(
  kind: StyledNode,
  nodes: readonly ImportedNode[],
  head: Head,
  base: Attributes,
): Attributes {
  const tagName = styledNodes[kind];
  const ofHead = attributesOfHead(head, tagName);
  const values = { ...defaultsOf(tagName), ...ofHead };
  const names = new Set([...Object.keys(values), ...Object.keys(nodes[0]?.properties ?? {})]);
  const shared: Attributes = {};
  for (const name of names) {
    const ofNodes = nodes.map(({ properties }) => properties[name]);
    // A kind of which the content has no node has the attributes that the head sets for the element.
    const value =
      nodes.length === 0 ? head.byTagName.get(tagName)?.[name] : sharedValue(values[name], ofNodes);
    if (value === undefined || value === base[name] || !canBeShared(tagName, name, value)) continue;
    if (isNeeded(tagName, name, value, base)) shared[name] = value;
  }
  return shared;
}

/** A value that some nodes have from the head of the MJML, or that all of several nodes have. */
function sharedValue(
  ofHead: string | undefined,
  values: readonly (string | undefined)[],
): string | undefined {
  if (values.includes(undefined)) return undefined;
  if (ofHead !== undefined && values.includes(ofHead)) return ofHead;
  const [first] = values;
  return values.length > 1 && values.every((value) => value === first) ? first : undefined;
}

const canBeShared = (tagName: string, name: string, value: string): boolean =>
  attributeTypes(tagName).has(name) &&
  isDrawable(tagName, name, value) &&
  !propertiesOfOneNode.includes(name) &&
  // A padding of a single side in the styles of a document would replace those of the nodes.
  !/^padding-|^(?:width|height|background-url)$/.test(name);

/** Whether Galley draws another value than MJML without the property. MJML itself adds its own defaults. */
const isNeeded = (tagName: string, name: string, value: string, base: Attributes): boolean =>
  base[name] !== undefined || defaultsOf(tagName)[name] !== value;

/** Removes the properties that a node has without being set. */
function removeBase({ kind, tagName, properties }: ImportedNode, base: Attributes): void {
  // Galley has a padding of menus, which MJML does not have.
  if (base['padding'] !== undefined) properties['padding'] ??= '0';
  const types = attributeTypes(tagName);
  for (const [name, value] of Object.entries(properties)) {
    // Contents and links are no attributes.
    if (!types.has(name)) continue;
    // The links of a social block have the attributes of the block instead of the defaults of MJML.
    const isDefault = kind !== 'social-link' && !isNeeded(tagName, name, value, base);
    if (base[name] === value || isDefault) Reflect.deleteProperty(properties, name);
  }
}
