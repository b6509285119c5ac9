import { decodeHTML } from 'entities';
import { FONT_NAME, isAllowed, MAX_FONTS } from '../../drawing/index.js';
import type { Report } from '../report.js';

export interface Font {
  name: string;
  url: string;
  weight?: string;
  style?: string;
}

/** The fonts that a content loads. */
export class FontList {
  readonly fonts: Font[] = [];

  constructor(private readonly report: Report) {}

  add(font: Font, source: string): void {
    const { name, url } = font;
    const shown = `The font ${name}`;
    if (!FONT_NAME.test(name) || !/^https?:/i.test(url) || !isAllowed('background-url', url)) {
      this.report.add(
        'lost',
        source,
        `${shown} is not loaded: its name or its URL is not allowed.`,
      );
    } else if (this.fonts.length >= MAX_FONTS) {
      this.report.add('lost', source, `${shown} is not loaded: a document has ${MAX_FONTS} fonts.`);
    } else if (!this.fonts.some((each) => JSON.stringify(each) === JSON.stringify(font))) {
      this.fonts.push(font);
    }
  }

  /** Adds the fonts of a style sheet that an import or a link loads. */
  addStyleSheet(written: string, source: string): void {
    // Some emails escape the URLs in their style sheets as HTML needs it.
    const url = decodeHTML(written);
    const names = URL.canParse(url) ? new URL(url).searchParams.getAll('family') : [];
    const families = names.flatMap((name) => name.split('|')).map((name) => name.split(':')[0]);
    for (const name of families) this.add({ name: name ?? '', url }, source);
    if (families.length === 0) {
      this.report.add('lost', source, `The style sheet ${url} is not loaded.`);
    }
  }
}
