// Descriptions by MJML attribute name. `inner-padding` and `padding-top` share the description of `padding`.
const DESCRIPTIONS: Record<string, string> = {
  align: 'The horizontal alignment of the content: left, centre or right.',
  alt: 'The alternative text of an image, for people who cannot see it. Empty for a decorative image.',
  'css-class':
    'CSS classes of the element in the HTML. Your program can use them to find the element.',
  'background-color': 'The background colour of the content.',
  'background-position': 'The position of the background image.',
  'background-position-x': 'The horizontal position of the background image.',
  'background-position-y': 'The vertical position of the background image.',
  'background-repeat': 'Whether the background image is repeated.',
  'background-size': 'The size of the background image.',
  'background-url': 'The URL of a background image.',
  'base-url': 'A prefix for the URLs of the links.',
  border: 'The border: width, style and colour.',
  'border-color': 'The colour of the line.',
  'border-radius': 'The radius of the rounded corners.',
  'border-style': 'The style of the line: solid, dashed or dotted.',
  'border-width': 'The thickness of the line.',
  cellpadding: 'The space inside each cell, in pixels.',
  'cell-padding': 'The padding of each cell.',
  'row-border': 'The line below each row: width, style and colour; `none` for no line.',
  cellspacing: 'The space between the cells, in pixels.',
  color: 'The colour of the text.',
  'container-background-color': 'The background colour of the whole block, including its padding.',
  direction: 'The order of the columns: left to right (`ltr`) or right to left (`rtl`).',
  'font-family': "A font stack. The first font available on the reader's device is used.",
  'font-size': 'The font size.',
  'font-style': 'The font style, for example `italic`.',
  'font-weight': 'The font weight, for example `bold` or a number from 100 to 900.',
  'full-width': 'Extends the background to the full width of the window.',
  gap: 'The space between the stripes or rows.',
  gutter: 'The space between the columns.',
  hamburger: 'With the value `hamburger`, a button opens and closes the menu on phones.',
  height: 'The height.',
  href: 'The URL of the link.',
  'icon-align': 'The vertical alignment of the icons.',
  'icon-width': 'The width of the icons.',
  'icon-wrapped-url': 'The URL of the icon of a closed text.',
  'icon-wrapped-alt': 'The alternative text of the icon of a closed text.',
  'icon-unwrapped-url': 'The URL of the icon of an open text.',
  'icon-unwrapped-alt': 'The alternative text of the icon of an open text.',
  'icon-height': 'The height of the icons.',
  'icon-padding': 'The space around the icons.',
  'icon-position': 'The side of the text on which the icon appears.',
  'icon-size': 'The width of the icons.',
  'letter-spacing': 'The space between letters.',
  'line-height': 'The line height: a multiple of the font size, or a length.',
  'max-height': 'The maximum height of the image.',
  mode: 'Whether the links are arranged horizontally or vertically.',
  name: 'A name. In a link to a social network, the name of the network selects the icon.',
  padding: 'The padding, written as in CSS.',
  rel: 'The `rel` attribute of the link in the HTML.',
  role: '`presentation` or `none` if the table is used only for layout.',
  sizes: 'The widths of the image for different window widths.',
  src: 'The URL of the image.',
  srcset: 'The URLs of the image in several sizes.',
  'table-layout': 'How the widths of the columns are determined.',
  target: 'The window in which the link opens; `_blank` by default.',
  'text-align': 'The alignment of the text.',
  'text-decoration': 'The decoration of the text, for example `underline` or `none`.',
  'text-padding': 'The space around the text.',
  'text-transform': 'The capitalisation of the text, for example `uppercase`.',
  title: 'The text of the tooltip.',
  usemap: 'The name of an image map.',
  'vertical-align': 'The vertical alignment of the content: top, middle or bottom.',
  width: 'The width.',
};

const MENU = /^ico-/;
const INNER = /^inner-/;
const SIDE = /-(top|right|bottom|left)$/;

export function describeAttribute(name: string): string {
  const base = name.replace(MENU, '').replace(INNER, '').replace(SIDE, '');
  const description = DESCRIPTIONS[name] ?? DESCRIPTIONS[base] ?? MENU_BUTTON[name];
  if (description === undefined) throw new Error(`The attribute ${name} has no description.`);
  const [, side] = SIDE.exec(name) ?? [];
  return [
    MENU.test(name) && MENU_BUTTON[name] === undefined ? 'For the menu button. ' : '',
    INNER.test(name) ? 'For the inner element. ' : '',
    description,
    side === undefined || name === 'background-position' ? '' : ` Only for the ${side} side.`,
  ].join('');
}

const MENU_BUTTON: Record<string, string> = {
  'ico-open': 'The symbol of the button that opens the menu.',
  'ico-close': 'The symbol of the button that closes the menu.',
};
