import juice from 'juice';
import postcss, { type AtRule, type Rule } from 'postcss';
import { GalleyRules } from '../galley-mjml/rules.js';
import type { Report } from '../report.js';
import type { FontList } from './font-list.js';

// Each rule is compared with each element, and read again for each text, which takes about 0.15 ms.
const MAX_COMPARISONS = 2_000_000;
const COMPARISONS_OF_READING = 200;
// Reading this many characters of a style sheet takes about as long as a comparison.
const CHARACTERS_OF_COMPARISON = 20;
// Simple selectors, and few of them one inside the other: others take time that grows with each combination.
const SELECTOR = /^[\w\s.#*>+~[\]="'-]*$/;
const MAX_PARTS = 6;
const MAX_SELECTOR_LENGTH = 200;

const INLINE = {
  applyAttributesTableElements: false,
  applyHeightAttributes: false,
  applyWidthAttributes: false,
  inlinePseudoElements: false,
};

/** The style sheets of a content. Documents have none, so their rules become styles of the elements to which they apply. */
export class ForeignStyles {
  /** The rules that Galley has written into its own MJML. */
  readonly ofGalley = new GalleyRules();
  private readonly rules: string[] = [];
  private selectorCount = 0;
  private cssLength = 0;
  private comparisons = 0;

  constructor(
    private readonly report: Report,
    private readonly fonts: FontList,
  ) {}

  /** Adds a style sheet. Rules that no `style` attribute can express are lost. */
  add(css: string, source: string): void {
    try {
      const lost = new Set<string>();
      for (const node of postcss.parse(css).nodes) {
        if (node.type === 'rule') this.addRule(node, lost);
        else if (node.type === 'atrule') this.addAtRule(node, source, lost);
      }
      for (const what of lost) {
        this.report.add('lost', source, `The rules for ${what.slice(0, 200)} are lost.`);
      }
    } catch (error) {
      if (!(error instanceof Error) || error.name !== 'CssSyntaxError') throw error;
      this.report.add('lost', source, 'The style sheet is lost, because its syntax has a mistake.');
    }
  }

  private addRule(rule: Rule, lost: Set<string>): void {
    // Nested rules would be written again for each level.
    if (rule.nodes.some((node) => node.type === 'rule' || node.type === 'atrule')) {
      lost.add(rule.selector);
      return;
    }
    if (COLOUR_SCHEME.test(String(rule)) || this.ofGalley.add(rule)) return;
    const kept = rule.selectors.filter((selector) => {
      const isSimple =
        selector.length <= MAX_SELECTOR_LENGTH &&
        SELECTOR.test(selector) &&
        selector.split(/[\s>+~]+/).length <= MAX_PARTS;
      if (!isSimple) lost.add(selector);
      return isSimple;
    });
    if (kept.length === 0) return;
    this.selectorCount += kept.length;
    const declarations = rule.nodes.filter((node) => node.type === 'decl').map(String);
    const text = `${kept.join(',')}{${declarations.join(';')}}`;
    this.cssLength += text.length;
    this.rules.push(text);
  }

  private addAtRule(rule: AtRule, source: string, lost: Set<string>): void {
    const { name, params } = rule;
    if (name === 'font-face') {
      this.addFontFace(rule, source);
    } else if (name === 'import') {
      this.fonts.addStyleSheet(/["']?(https?:[^"')\s]+)/.exec(params)?.[1] ?? params, source);
    } else if (name === 'media') {
      if (!this.ofGalley.addMedia(rule)) lost.add(`@media ${params}`);
    } else if (name !== 'charset') lost.add(`@${name} ${params}`.trim());
  }

  private addFontFace(rule: AtRule, source: string): void {
    const values = new Map<string, string>();
    rule.walkDecls(({ prop, value }) => void values.set(prop.toLowerCase(), value));
    const [, url = ''] = /url\(\s*["']?([^"')\s]+)/.exec(values.get('src') ?? '') ?? [];
    const name = (values.get('font-family') ?? '').replace(/^["']|["']$/g, '');
    const weight = WEIGHTS[values.get('font-weight') ?? ''] ?? values.get('font-weight');
    const style = values.get('font-style');
    this.fonts.add(
      {
        name,
        url,
        ...(weight !== undefined && weight !== '400' && { weight }),
        ...(style !== undefined && style !== 'normal' && { style }),
      },
      source,
    );
  }

  /** Writes the rules into the `style` attributes of HTML, unless there are too many. */
  inline(html: string): string {
    if (this.rules.length === 0 || !html.includes('<')) return html;
    const count = this.selectorCount + this.cssLength / CHARACTERS_OF_COMPARISON;
    this.comparisons += count * (html.split('<').length + COMPARISONS_OF_READING);
    if (this.comparisons > MAX_COMPARISONS) {
      const what = `${this.rules.length} rules are lost from here on: they are too many for so many texts.`;
      this.report.add('lost', 'style', what);
      this.rules.length = 0;
      return html;
    }
    return juice.inlineContent(html, this.rules.join('\n'), INLINE);
  }
}

/** Says that an email has colours for dark mode, and sets none. */
const COLOUR_SCHEME = /^:root\s*\{\s*color-scheme:[^{}]*\}$/;
const WEIGHTS: Record<string, string> = { normal: '400', bold: '700' };
