/** Values of MJML attributes, by attribute name. */
export type Attributes = Readonly<Record<string, string>>;

/**
 * The text styles that a node passes on to the nodes inside it. The names are those of MJML attributes and
 * `link-color`.
 */
export interface TextStyles {
  'font-family': string;
  'font-size': string;
  'line-height': string;
  color: string;
  'link-color': string;
}

export const textStyleNames = [
  'font-family',
  'font-size',
  'line-height',
  'color',
  'link-color',
] as const satisfies (keyof TextStyles)[];

/** The smallest and the largest `fontSize` of a document, in pixels. */
export const FONT_SIZES = [1, 200] as const;
/** The smallest and the largest `lineHeight` of a document, as multiples of the font size. */
export const LINE_HEIGHTS = [0.5, 5] as const;

/** The smallest and the largest `contentWidth` of a document, in pixels. */
export const CONTENT_WIDTHS = [200, 2_000] as const;
/** The width of the content, in pixels. */
export const DEFAULT_WIDTH = 600;

// Without a background, mail clients in dark mode would show the dark text on a dark background.
export const DEFAULT_BACKGROUND = '#ffffff';

/** The text styles of a document that sets none. The contrast with a white background is at least 6.5. */
export const defaultTextStyles: TextStyles = {
  'font-family': 'Helvetica, Arial, sans-serif',
  'font-size': '16px',
  'line-height': '1.5',
  color: '#1f2933',
  'link-color': '#0b5cad',
};

/** The nodes for which a document may set properties in its `styles`, with the MJML elements that draw them. */
export const styledNodes = {
  stripe: 'mj-section',
  container: 'mj-column',
  text: 'mj-text',
  heading: 'mj-text',
  heading1: 'mj-text',
  heading2: 'mj-text',
  heading3: 'mj-text',
  heading4: 'mj-text',
  heading5: 'mj-text',
  heading6: 'mj-text',
  list: 'mj-text',
  table: 'mj-table',
  accordion: 'mj-accordion',
  image: 'mj-image',
  button: 'mj-button',
  divider: 'mj-divider',
  menu: 'mj-navbar',
  social: 'mj-social',
} as const;
export type StyledNode = keyof typeof styledNodes;

/**
 * The properties that only make sense for a single node, such as its link. A document cannot set them for all nodes of
 * a kind.
 */
export const propertiesOfOneNode = [
  'alt',
  'base-url',
  'css-class',
  'href',
  'name',
  'rel',
  'sizes',
  'src',
  'srcset',
  'target',
  'title',
  'usemap',
];

/** The padding of most blocks. */
export const BLOCK_PADDING = '8px 24px';

/**
 * The properties of nodes in a document that sets none. A button is 44 pixels high, the size that Apple and WCAG 2.2
 * (success criterion 2.5.5) recommend for tap targets.
 */
export const defaultProperties: Readonly<Record<StyledNode, Attributes>> = {
  stripe: { padding: '16px 0' },
  container: {},
  text: { padding: BLOCK_PADDING },
  heading: { 'font-weight': 'bold', 'line-height': '1.25', padding: '16px 24px 4px' },
  heading1: { 'font-size': '32px' },
  heading2: { 'font-size': '24px' },
  heading3: { 'font-size': '20px' },
  heading4: { 'font-size': '18px' },
  heading5: { 'font-size': '16px' },
  heading6: { 'font-size': '14px' },
  list: {},
  table: { padding: BLOCK_PADDING },
  accordion: {
    border: '1px solid #d5dae0',
    'icon-height': '24px',
    'icon-width': '24px',
    padding: BLOCK_PADDING,
  },
  image: { padding: BLOCK_PADDING },
  button: {
    align: 'start',
    'background-color': '#0b5cad',
    'border-radius': '6px',
    color: '#ffffff',
    'font-size': '16px',
    'font-weight': 'bold',
    'inner-padding': '12px 24px',
    'line-height': '1.25',
    padding: '12px 24px',
  },
  divider: { 'border-color': '#d5dae0', 'border-width': '1px', padding: '16px 24px' },
  menu: { padding: BLOCK_PADDING },
  social: { 'icon-size': '24px', padding: BLOCK_PADDING },
};

/**
 * Returns the text styles inside a node. A node that sets a colour of text, but none of links, has links in this
 * colour.
 */
export function inherit<Styles extends Partial<TextStyles>>(
  outer: Styles,
  own: Partial<TextStyles>,
): Styles {
  const links = own.color === undefined ? {} : { 'link-color': own.color };
  return { ...outer, ...links, ...own };
}
