import type { Drawing } from './drawing.js';
import type { Place } from '../../document/index.js';
import type { MjmlNode } from './mjml-node.js';

type Visibility = 'mobile' | 'desktop';

const CLASSES: Record<Visibility, string> = {
  mobile: 'galley-mobile-only',
  desktop: 'galley-desktop-only',
};

// Outlook on Windows reads no media queries, and hides only elements that have `mso-hide` themselves. MJML gives
// the tables that only Outlook sees a class with this suffix.
const OUTLOOK_SELECTORS = [`.${CLASSES.mobile}`, `.${CLASSES.mobile}-outlook`].flatMap(
  (selector) => [selector, `${selector} table`, `${selector} td`],
);
// MJML puts columns beside each other from 480 pixels on.
const CSS = `
@media only screen and (min-width:480px) { .${CLASSES.mobile} { display:none !important; } }
@media only screen and (max-width:479px) { .${CLASSES.desktop} { display:none !important; } }
${OUTLOOK_SELECTORS.join(', ')} { mso-hide:all; }
`;

/** The style sheet that hides nodes in narrow or wide windows. */
export const visibilityStyle: MjmlNode = { tagName: 'mj-style', content: CSS };

/** Adds the class of the visibility of a node to the element that shows the node. */
export function withVisibility(drawing: Drawing, place: Place, element: MjmlNode): MjmlNode {
  const visibility = drawing.valueOr(
    undefined,
    place,
    'visibility',
    place.node['visibility'],
    isVisibility,
  );
  // A comment in the place of a node that Galley cannot draw has no class.
  if (visibility === undefined || element.tagName === 'mj-raw') return element;
  drawing.usesVisibility = true;
  const { 'css-class': otherClass, ...attributes } = element.attributes ?? {};
  const classes = [otherClass, CLASSES[visibility]].filter(Boolean).join(' ');
  return { ...element, attributes: { ...attributes, 'css-class': classes } };
}

const isVisibility = (value: unknown): value is Visibility =>
  typeof value === 'string' && Object.hasOwn(CLASSES, value);

/**
 * Wide windows hide columns that are only for phones, so the other
 * columns share their width. On phones, all columns have the whole width.
 */
export function shareWidth(children: readonly MjmlNode[]): MjmlNode[] {
  const isHidden = ({ attributes }: MjmlNode) =>
    attributes?.['css-class']?.includes(CLASSES.mobile) === true;
  if (!children.some(isHidden)) return [...children];
  // The other children are the marks of conditions and repetitions.
  const isShown = (child: MjmlNode) => child.tagName === 'mj-column' && !isHidden(child);
  const width = `${100 / children.filter(isShown).length}%`;
  return children.map((child) =>
    isShown(child) ? { ...child, attributes: { width, ...child.attributes } } : child,
  );
}
