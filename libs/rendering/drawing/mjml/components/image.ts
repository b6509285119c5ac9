import type { BodyComponent } from 'mjml-core';
import presetCore from 'mjml-preset-core';
import { isAllowed } from '../attribute-values.js';

interface MjmlImage extends BodyComponent {
  /** The width in pixels. */
  getContentWidth(): number;
}

const MjImage = presetCore.components.find(
  ({ componentName }) => componentName === 'mj-image',
) as unknown as (new (...args: unknown[]) => MjmlImage) & {
  allowedAttributes: Record<string, string>;
};

// Most videos have this ratio.
const RATIO = 9 / 16;
const ICON_SIZE = 72;
// The background while mail clients do not show the picture, on which the white text is readable.
const BACKGROUND = '#1f2933';
const ESCAPED_QUOTE = /&(?:#39|quot|lt|gt);/;

/**
 * An `mj-image` whose attribute `play-button` is the URL of an icon. The picture becomes the background of the icon,
 * because mail clients do not put one element on top of another.
 */
export class Image extends MjImage {
  static readonly componentName = 'mj-image';
  static override readonly allowedAttributes = {
    ...MjImage.allowedAttributes,
    'play-button': 'string',
  };

  override render(): string {
    const icon = this.getAttribute('play-button');
    const src = this.getAttribute('src') ?? '';
    if (icon === undefined || !isSafeInCss(src)) return super.render();
    // A padding may be wider than the column.
    const width = Math.max(1, this.getContentWidth());
    const height = Number.parseInt(this.getAttribute('height') ?? '', 10) || width * RATIO;
    const size = { width: String(width), height: String(Math.round(height)) };
    const link = this.namedAttributes(['href', 'target', 'rel', 'name', 'title']);
    const borders = ['', '-top', '-right', '-bottom', '-left', '-radius']
      .map((side) => `border${side}`)
      .flatMap((name) => (this.getAttribute(name) ? [`${name}:${this.getAttribute(name)}`] : []));
    const cell = {
      align: 'center',
      background: src,
      bgcolor: BACKGROUND,
      style: `background:${BACKGROUND} url('${src}') center/cover no-repeat;${borders.join(';')}`,
    };
    const button = {
      src: icon,
      alt: this.getAttribute('alt') ?? '',
      width: String(ICON_SIZE),
      height: String(ICON_SIZE),
      style: 'display:inline-block;vertical-align:middle;border:0;color:#ffffff;line-height:1.5',
    };
    const style = `display:block;line-height:${size.height}px;font-size:16px;color:#ffffff;text-decoration:none`;
    // The line is as high as the picture, so the whole picture is a link.
    const content = `<a${attributesOf({ ...link, style })}><img${attributesOf(button)} /></a>`;
    const table = {
      width: size.width,
      style: `width:100%;max-width:${size.width}px;border-collapse:separate`,
    };
    return `<table role="presentation" border="0" cellpadding="0" cellspacing="0"${attributesOf(table)}><tbody><tr><td${attributesOf(cell)}>${this.forOutlook(size, src, content)}</td></tr></tbody></table>`;
  }

  private namedAttributes(names: readonly string[]): Record<string, string> {
    const values = names.map((name) => [name, this.getAttribute(name)] as const);
    return Object.fromEntries(values.filter((entry): entry is [string, string] => !!entry[1]));
  }

  /** Outlook on Windows shows background pictures only in VML. */
  private forOutlook(size: { width: string; height: string }, src: string, html: string): string {
    const rectangle = `<v:rect xmlns:v="urn:schemas-microsoft-com:vml" stroke="false" style="width:${size.width}px;height:${size.height}px"><v:fill type="frame" src="${src}" color="${BACKGROUND}" /><v:textbox inset="0,0,0,0">`;
    const table = `<table role="presentation" border="0" cellpadding="0" cellspacing="0" width="${size.width}" height="${size.height}"><tr><td align="center" valign="middle">`;
    return `<!--[if mso | IE]>${rectangle}${table}<![endif]-->${html}<!--[if mso | IE]></td></tr></table></v:textbox></v:rect><![endif]-->`;
  }
}

// `htmlAttributes` of MJML expects the name of a style instead of a style.
const attributesOf = (attributes: Record<string, string>): string =>
  Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${value}"`)
    .join('');

/** Whether a URL, which is escaped for HTML, may be in `url('…')` in a style. */
const isSafeInCss = (url: string): boolean =>
  isAllowed('background-url', url) && !ESCAPED_QUOTE.test(url);
