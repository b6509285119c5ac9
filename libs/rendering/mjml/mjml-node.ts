/**
 * An element of MJML, as `mjml-core` takes it. MJML copies attributes and contents into the HTML as they are, so
 * both are escaped already.
 */
export interface MjmlNode {
  tagName: string;
  attributes?: Record<string, string>;
  children?: MjmlNode[];
  content?: string;
}

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes a text for HTML and MJML, in elements and in quoted attributes. */
export const escapeText = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');

/** Writes the element as MJML. */
export function toMjmlText({ tagName, attributes = {}, children = [], content = '' }: MjmlNode) {
  const parts: string[] = [];
  const write = (node: MjmlNode, indent: string): void => {
    const pairs = Object.entries(node.attributes ?? {});
    const list = pairs.map(([name, value]) => ` ${name}="${value}"`).join('');
    const inner = node.children ?? [];
    if (inner.length === 0 && node.content === undefined) {
      parts.push(`${indent}<${node.tagName}${list} />\n`);
    } else if (inner.length === 0) {
      parts.push(`${indent}<${node.tagName}${list}>${node.content ?? ''}</${node.tagName}>\n`);
    } else {
      parts.push(`${indent}<${node.tagName}${list}>\n`);
      for (const child of inner) write(child, `${indent}  `);
      parts.push(`${indent}</${node.tagName}>\n`);
    }
  };
  write({ tagName, attributes, children, content }, '');
  return parts.join('');
}
