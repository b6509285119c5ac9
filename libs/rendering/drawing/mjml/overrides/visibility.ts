import type { Place } from '../../../document/index.js';
import type { Drawing } from '../drawing.js';
import type { MjmlNode } from '../mjml-node.js';
import { NARROW, WIDE } from './style-sheet.js';

type Visibility = 'mobile' | 'desktop';

const CLASSES: Record<Visibility, string> = {
  mobile: 'galley-mobile-only',
  desktop: 'galley-desktop-only',
};

// Outlook on Windows ignores media queries, and hides only elements that have `mso-hide` themselves. MJML adds tables
// that only Outlook sees. The class names of these tables end with `-outlook`.
const OUTLOOK_SELECTORS = [`.${CLASSES.mobile}`, `.${CLASSES.mobile}-outlook`].flatMap(
  (selector) => [selector, `${selector} table`, `${selector} td`],
);
// MJML places columns side by side in windows of at least 480 pixels.
const CSS = `
${WIDE} { .${CLASSES.mobile} { display:none !important; } }
${NARROW} { .${CLASSES.desktop} { display:none !important; } }
${OUTLOOK_SELECTORS.join(', ')} { mso-hide:all; }
`;

/** The style sheet that hides nodes on phones or in wide windows. */
export const visibilityStyle: MjmlNode = { tagName: 'mj-style', content: CSS };

/** Adds the classes for a node's visibility to the element that shows the node. */
export function withVisibility(
  drawing: Drawing,
  place: Place,
  element: MjmlNode,
  isHiddenOnPhones = false,
): MjmlNode {
  const own = drawing.valueOr(
    undefined,
    place,
    'visibility',
    place.node['visibility'],
    isVisibility,
  );
  // An `mj-raw` element is a comment in place of a node that Galley cannot draw. The comment needs no class.
  if ((own === undefined && !isHiddenOnPhones) || element.tagName === 'mj-raw') return element;
  drawing.usesVisibility = true;
  const { 'css-class': otherClass, ...attributes } = element.attributes ?? {};
  // A node for phones alone that is hidden on phones has both classes, and is never shown.
  const windows = new Set<Visibility>();
  if (own !== undefined) windows.add(own);
  if (isHiddenOnPhones) windows.add('desktop');
  const classes = [otherClass, ...[...windows].map((each) => CLASSES[each])];
  return {
    ...element,
    attributes: { ...attributes, 'css-class': classes.filter(Boolean).join(' ') },
  };
}

const isVisibility = (value: unknown): value is Visibility =>
  typeof value === 'string' && Object.hasOwn(CLASSES, value);

/** Whether wide windows show a column. */
export const isShownInWideWindows = ({ attributes }: MjmlNode): boolean =>
  attributes?.['css-class']?.includes(CLASSES.mobile) !== true;
