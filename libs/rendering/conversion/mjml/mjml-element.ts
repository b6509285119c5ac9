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
