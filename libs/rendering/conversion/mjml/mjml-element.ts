/** An element of MJML that somebody else wrote. Attributes are plain text, and contents are HTML. */
export interface MjmlElement {
  tagName: string;
  attributes: Record<string, string>;
  children: MjmlElement[];
  /** The HTML inside an element that MJML does not read, such as `mj-text`. */
  content: string;
  /** Where the element is in the imported content. */
  source: string;
}

/** The children of an element with a name. */
export const childrenNamed = (element: MjmlElement | undefined, tagName: string): MjmlElement[] =>
  element?.children.filter((child) => child.tagName === tagName) ?? [];

/** What a report says about an element that Galley does not expect in its place. */
export const unknownElement = (tagName: string): string =>
  tagName === 'mj-include'
    ? 'mj-include is lost: Galley reads no files.'
    : `${tagName} is lost: Galley does not know it here.`;
