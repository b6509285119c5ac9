import type { MailClient } from './mail-clients.js';
import { unsupportedStyles } from './unsupported-styles.js';

/**
 * Changes the HTML of an email approximately as a mail client changes it. The sources are caniemail.com and, for what
 * its data does not say, the comments below.
 */
export function approximate(html: string, client: MailClient): string {
  const withStyles = (text: string) => withoutStyles(text, unsupportedStyles[client] ?? []);
  switch (client) {
    case 'gmail':
      return withStyles(withoutConditionalComments(mapStyleSheets(html, gmailStyleSheet)));
    case 'gmail-app':
      // https://www.caniemail.com/features/html-style/: no style sheets with accounts of other providers.
      return withStyles(withoutConditionalComments(mapStyleSheets(html, () => '')));
    case 'outlook-windows':
      return withStyles(likeWord(html));
    case 'apple-mail-dark':
      return inDarkMode(withoutConditionalComments(html));
    case 'without-images':
      return withoutImages(withoutConditionalComments(html));
  }
}

const STYLE_SHEET = /<style[^>]*>([^]*?)<\/style>/gi;
const LINKED_STYLE_SHEET = /<link [^>]*rel="stylesheet"[^>]*>/gi;
const STYLE = / style="([^"]*)"/g;
// URLs and character references, such as `&#39;`, may contain semicolons.
const DECLARATION = /([\w-]+)\s*:\s*((?:&#?\w+;|url\([^)]*\)|[^;])*)/g;
const CONDITIONAL_COMMENT = /<!--\[if ([^\]]*)\]>([^]*?)<!\[endif\]-->/g;
// Other clients see the content of these comments.
const NOT_FOR_OUTLOOK = /<!--\[if !mso[^\]]*\]><!-->([^]*?)<!--<!\[endif\]-->/g;

const mapStyleSheets = (html: string, map: (css: string) => string): string =>
  html
    .replace(STYLE_SHEET, (_, css: string) => {
      const mapped = map(css);
      return mapped === '' ? '' : `<style>${mapped}</style>`;
    })
    .replace(LINKED_STYLE_SHEET, '');

const withoutConditionalComments = (html: string): string =>
  html.replace(NOT_FOR_OUTLOOK, '$1').replace(CONDITIONAL_COMMENT, '');

// https://www.caniemail.com/features/html-style/, note 6.
const MAX_GMAIL_STYLE_SHEET = 16_384;

/**
 * Gmail knows neither fonts nor dark mode, and drops a long style sheet. With `@goodbye`, MJML makes Gmail drop the
 * style sheet of accordions.
 */
const gmailStyleSheet = (css: string): string =>
  css.length > MAX_GMAIL_STYLE_SHEET || /prefers-color-scheme|@font-face|@import|@goodbye/.test(css)
    ? ''
    : css;

function withoutStyles(html: string, unsupported: readonly string[]): string {
  if (unsupported.length === 0) return html;
  const isKept = (name: string, value: string) =>
    !unsupported.includes(name) &&
    !(unsupported.includes('background-image') && name === 'background' && /url\(/.test(value));
  return mapDeclarations(html, (declarations) =>
    declarations.filter(([name, value]) => isKept(name, value)),
  );
}

type Declarations = [name: string, value: string][];

// In Galley's HTML, the values of attributes have no `>`.
const mapTags = (html: string, map: (tag: string) => string): string =>
  html.replace(/<[a-z][^>]*>/gi, map);

const mapDeclarations = (html: string, map: (declarations: Declarations) => Declarations): string =>
  mapTags(html, (tag) =>
    tag.replace(STYLE, (_, css: string) => {
      const declarations = Array.from(css.matchAll(DECLARATION), ([, name = '', value = '']) => [
        name.toLowerCase(),
        value.trim(),
      ]) as Declarations;
      return ` style="${map(declarations)
        .map((each) => each.join(':'))
        .join(';')}"`;
    }),
  );

/**
 * Outlook on Windows draws with Word: the comments for Outlook are part of the page, media queries do not apply, and
 * the properties whose names begin with `mso` win.
 */
function likeWord(html: string): string {
  const page = html
    .replace(NOT_FOR_OUTLOOK, '')
    .replace(CONDITIONAL_COMMENT, (_, condition: string, content: string) =>
      /\bmso\b/.test(condition) && !condition.includes('!mso') ? content : '',
    );
  const withSheets = mapStyleSheets(page, (css) =>
    withoutMediaQueries(css).replace(/mso-hide:\s*all/g, 'display:none'),
  );
  return mapDeclarations(withSheets, (declarations) => {
    const padding = declarations.find(([name]) => name === 'mso-padding-alt')?.[1];
    const others = declarations.filter(([name]) => !name.startsWith('mso-'));
    if (padding === undefined) return others;
    return [...others.filter(([name]) => name !== 'padding'), ['padding', padding]];
  });
}

/** Removes the rules of media queries, which contain rules in braces. */
const withoutMediaQueries = (css: string): string =>
  css.replace(/@media[^{]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}/g, '');

const DARK_MODE = '@media (prefers-color-scheme:dark)';
const LIGHT_MODE = '@media (prefers-color-scheme:light)';
const INVERTED =
  '<style>html{filter:invert(1) hue-rotate(180deg);background:#fff}img{filter:invert(1) hue-rotate(180deg)}</style>';

/** Apple Mail shows the colours for dark mode. Without any, it inverts the colours. */
const inDarkMode = (html: string): string =>
  html.includes(DARK_MODE)
    ? html.replaceAll(DARK_MODE, '@media all').replaceAll(LIGHT_MODE, '@media not all')
    : html.replace('</head>', `${INVERTED}</head>`);

/** Shows the alternative texts of images, and no background images. */
const withoutImages = (html: string): string =>
  mapDeclarations(
    mapTags(html, (tag) => tag.replace(/ (?:src|srcset|background)="[^"]*"/g, '')),
    (declarations) =>
      declarations
        .filter(([name]) => name !== 'background-image')
        .map(([name, value]) => [name, value.replace(/url\([^)]*\)/g, '').trim()]),
  );
