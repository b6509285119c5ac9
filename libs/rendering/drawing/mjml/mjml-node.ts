/**
 * An MJML element, in the form that `mjml-core` accepts. MJML copies attributes and contents into the HTML unchanged,
 * so both must be escaped already.
 */
export interface MjmlNode {
  tagName: string;
  attributes?: Record<string, string>;
  children?: MjmlNode[];
  content?: string;
}

export function toMjmlText(root: MjmlNode): string {
  const parts: string[] = [];
  const write = (
    { tagName, attributes = {}, children = [], content }: MjmlNode,
    indent: string,
  ): void => {
    const attributeTexts = Object.entries(attributes).map(([name, value]) => ` ${name}="${value}"`);
    const tag = `${indent}<${tagName}${attributeTexts.join('')}`;
    if (children.length > 0) {
      parts.push(`${tag}>\n`);
      for (const child of children) write(child, `${indent}  `);
      parts.push(`${indent}</${tagName}>\n`);
    } else if (content === undefined) parts.push(`${tag} />\n`);
    else parts.push(`${tag}>${content}</${tagName}>\n`);
  };
  write(root, '');
  return parts.join('');
}
