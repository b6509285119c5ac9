import { isAllowed } from './attribute-values.js';
import { SAFE_CSS } from './css-value.js';
import {
  asText,
  escapeText,
  isObject,
  type DocumentNode,
  type Place,
} from '../../document/index.js';

export const MAX_FONTS = 10;
export const FONT_NAME = /^[A-Za-z][\w -]{0,63}$/;
/** `css` is a style sheet that declares the font; the other formats are font files. */
export const FONT_FORMATS = ['css', 'woff2', 'woff', 'truetype', 'opentype'] as const;
type FontFormat = (typeof FONT_FORMATS)[number];
export const FONT_STYLES = ['normal', 'italic'];
export const FONT_WEIGHT = /^[1-9]\d{0,2}( [1-9]\d{0,2})?$/;

const FORMATS_BY_ENDING = new Map<string, FontFormat>([
  ['woff2', 'woff2'],
  ['woff', 'woff'],
  ['ttf', 'truetype'],
  ['otf', 'opentype'],
]);

interface Font {
  name: string;
  url: string;
  format: FontFormat;
  weight: string;
  style: string;
  fallback: string;
}

/** The fonts that the readers' devices load. */
export class Fonts {
  private readonly fonts: Font[] = [];
  private readonly stacks = new Map<string, string>();

  /** @param warn is called for each invalid font. */
  constructor({ fonts = [] }: DocumentNode, warn: (place: Place, message: string) => void) {
    if (!Array.isArray(fonts)) {
      warn({ node: {}, path: '/fonts' }, 'fonts is left out: it must be a list.');
      return;
    }
    for (const [index, value] of fonts.slice(0, MAX_FONTS).entries()) {
      const font = readFont(value);
      if (typeof font === 'string') {
        warn({ node: {}, path: `/fonts/${index}` }, `The font is left out: ${font}`);
        continue;
      }
      this.fonts.push(font);
      this.stacks.set(font.name.toLowerCase(), `'${font.name}', ${font.fallback}`);
    }
    if (fonts.length > MAX_FONTS) {
      warn({ node: {}, path: '/fonts' }, `Only the first ${MAX_FONTS} fonts are loaded.`);
    }
  }

  /** Adds the fallbacks of a font to its name. A value that has fallbacks of its own is not changed. */
  stackOf(fontFamily: string): string {
    return this.stacks.get(fontFamily.toLowerCase()) ?? fontFamily;
  }

  /**
   * The HTML that loads the fonts. Outlook on Windows does not see this HTML: it would show text in a font that it has
   * not loaded in Times New Roman instead of in the fallback.
   */
  get html(): string | undefined {
    if (this.fonts.length === 0) return undefined;
    const links = this.fonts
      .filter(({ format }) => format === 'css')
      .map(({ url }) => `<link href="${escapeText(url)}" rel="stylesheet" type="text/css">`);
    const faces = this.fonts
      .filter(({ format }) => format !== 'css')
      .map(
        ({ name, url, format, weight, style }) =>
          `@font-face{font-family:'${name}';src:url(${url}) format('${format}');font-weight:${weight};font-style:${style};font-display:swap}`,
      );
    const style = faces.length === 0 ? '' : `<style>${faces.join('')}</style>`;
    return `<!--[if !mso]><!-->${links.join('')}${style}<!--<![endif]-->`;
  }
}

/** Returns the font, or what is wrong with it. */
function readFont(value: unknown): Font | string {
  if (!isObject(value)) return 'it must be an object.';
  const { name, url, style = 'normal', fallback = 'Arial, sans-serif' } = value;
  const weight = asText(value['weight'] ?? 400) ?? '';
  if (typeof name !== 'string' || !FONT_NAME.test(name)) {
    return 'its name must have letters, digits, spaces and hyphens only.';
  }
  if (typeof url !== 'string' || !/^https?:/i.test(url) || !isAllowed('background-url', url)) {
    return 'its url must be a URL without spaces, quotes and brackets.';
  }
  const format = (value['format'] ?? formatOf(url)) as FontFormat;
  if (!FONT_FORMATS.includes(format))
    return `its format must be one of ${FONT_FORMATS.join(', ')}.`;
  if (!FONT_WEIGHT.test(weight)) return 'its weight must be a number from 1 to 999.';
  if (!FONT_STYLES.includes(style as string)) return 'its style must be normal or italic.';
  if (typeof fallback !== 'string' || fallback === '' || !SAFE_CSS.test(fallback)) {
    return 'its fallback must be a font stack such as Arial, sans-serif.';
  }
  return { name, url, format, weight, style: style as string, fallback };
}

function formatOf(url: string): FontFormat {
  const ending = /\.(\w+)(?:[?#]|$)/.exec(url)?.[1]?.toLowerCase() ?? '';
  return FORMATS_BY_ENDING.get(ending) ?? 'css';
}
