import type { Direction } from '../../document/index.js';
import { FontList } from '../html/font-list.js';
import { ForeignStyles } from '../html/foreign-styles.js';
import type { Report } from '../report.js';
import { attributesSet, defaultsOf, drawableAttributes } from './element-attributes.js';
import { readHead, type Head } from './head.js';
import type { MjmlElement } from './mjml-element.js';
import type { ImportedNode, NodeKind } from './shared-styles.js';

/** Where an element is drawn, and what applies to it. */
export interface Surroundings {
  /** A JSON Pointer to the node that the element becomes. */
  path: string;
  /** The width for the element, in pixels; undefined if it is not known. */
  width: number | undefined;
  /** Whether several columns share the width. */
  isShared: boolean;
  isInWrapper: boolean;
  /** The `mj-class` of the nearest element around that has one. */
  classAround: string;
}

/** The `mj-class` for the elements inside an element. */
export const classInside = ({ attributes }: MjmlElement, { classAround }: Surroundings): string =>
  attributes['mj-class'] ?? classAround;

/** An import in progress: the head of the MJML, and the nodes that the document has so far. */
export class MjmlRun {
  readonly styles: ForeignStyles;
  readonly fonts: FontList;
  readonly head: Head;
  readonly nodes: ImportedNode[] = [];

  constructor(
    readonly report: Report,
    readonly mjml: MjmlElement,
    readonly direction: Direction,
  ) {
    this.fonts = new FontList(report);
    this.styles = new ForeignStyles(report, this.fonts);
    this.head = readHead(mjml, this);
  }

  /** The attributes that an element has in MJML, including the defaults of MJML. */
  allAttributes(element: MjmlElement, { classAround }: Surroundings): Record<string, string> {
    return {
      ...defaultsOf(element.tagName),
      ...attributesSet(this.head, element, classAround),
    };
  }

  /**
   * Returns the properties of a node. `shareStyles` changes them when the document is complete.
   *
   * @param linkColour the colour of the links in the node.
   */
  node(
    kind: NodeKind,
    element: MjmlElement,
    attributes: Record<string, string>,
    {
      tagName = element.tagName,
      linkColour,
    }: { tagName?: string; linkColour?: string | undefined } = {},
  ): Record<string, string> {
    const place = { tagName, source: element.source };
    const properties = drawableAttributes(this.report, place, attributes);
    this.nodes.push({ kind, tagName, properties, linkColour });
    return properties;
  }
}
