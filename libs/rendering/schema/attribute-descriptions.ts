// The names of MJML, some of which have a prefix (`inner-padding`) or a side (`padding-top`).
const DESCRIPTIONS: Record<string, string> = {
  align: 'Where the content is: on the left, in the middle or on the right.',
  alt: 'The content of a picture, for people who do not see it. Empty for decoration.',
  'css-class': 'Classes of the element in the HTML, by which your program finds the element.',
  'background-color': 'The colour behind the content.',
  'background-position': 'Where the background picture begins.',
  'background-position-x': 'Where the background picture begins, from left to right.',
  'background-position-y': 'Where the background picture begins, from top to bottom.',
  'background-repeat': 'Whether the background picture repeats.',
  'background-size': 'The size of the background picture.',
  'background-url': 'The address of a background picture.',
  'base-url': 'A prefix for the addresses of the links.',
  border: 'The line around the element: width, style and colour.',
  'border-color': 'The colour of the line.',
  'border-radius': 'How round the corners are.',
  'border-style': 'The style of the line: solid, dashed or dotted.',
  'border-width': 'The thickness of the line.',
  cellpadding: 'The space inside each cell, in pixels.',
  cellspacing: 'The space between the cells, in pixels.',
  color: 'The colour of the text.',
  'container-background-color': 'The colour behind the whole block, with its padding.',
  direction: 'The order of the columns: from the left (`ltr`) or from the right (`rtl`).',
  'font-family': 'Fonts: the first one that the reader has is used.',
  'font-size': 'The size of the text.',
  'font-style': 'For example `italic`.',
  'font-weight': 'For example `bold`, or a number from 100 to 900.',
  'full-width': 'The background fills the whole width of the window.',
  gutter: 'The space between the columns.',
  hamburger: '`hamburger`: on phones, the links are behind a button.',
  height: 'The height.',
  href: 'The address of the link.',
  'icon-height': 'The height of the pictures.',
  'icon-padding': 'The space around the pictures.',
  'icon-position': 'Which side of the text the picture is on.',
  'icon-size': 'The width of the pictures.',
  'letter-spacing': 'The space between the letters.',
  'line-height': 'The height of a line: a multiple of the size of the text, or a length.',
  'max-height': 'The picture is not higher than this.',
  mode: 'Whether the links are next to or below each other.',
  name: 'A name. For a social network, MJML uses it to choose the picture.',
  padding: 'The space around the content: one to four lengths, from the top clockwise.',
  rel: 'How the page of the link relates to the email.',
  role: '`presentation` or `none` if the table only arranges its content.',
  sizes: 'The width of the picture in windows of several widths.',
  src: 'The address of the picture.',
  srcset: 'Addresses of the picture in several sizes.',
  'table-layout': 'How the widths of the columns are calculated.',
  target: 'The window of the link, `_blank` by default.',
  'text-align': 'Where the text is.',
  'text-decoration': 'For example `underline` or `none`.',
  'text-padding': 'The space around the text.',
  'text-transform': 'For example `uppercase`.',
  title: 'A text that browsers show next to the pointer.',
  usemap: 'The name of an image map.',
  'vertical-align': 'Whether the content is at the top, in the middle or at the bottom.',
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
    MENU.test(name) && MENU_BUTTON[name] === undefined ? 'Of the menu button. ' : '',
    INNER.test(name) ? 'Inside: ' : '',
    description,
    side === undefined || name === 'background-position' ? '' : ` Only the ${side} side.`,
  ].join('');
}

const MENU_BUTTON: Record<string, string> = {
  'ico-open': 'The symbol of the button that opens the menu.',
  'ico-close': 'The symbol of the button that closes the menu.',
};
