/**
 * The situation in which a rule applies: in narrow windows, in dark mode, or while the mouse is over the node, with
 * `hover-light` only in light mode.
 */
export type Occasion = 'mobile' | 'dark' | 'hover' | 'hover-light';

/** A rule of a style sheet. Its selectors are relative to a class, such as `>div`. */
export interface Rule {
  occasion: Occasion;
  selectors: readonly string[];
  /** Declarations such as `color:#ffffff`, without `!important`. */
  declarations: readonly string[];
}

// MJML places columns side by side in windows of at least 480 pixels.
export const NARROW = '@media only screen and (max-width:479px)';
export const WIDE = '@media only screen and (min-width:480px)';
const DARK = '@media (prefers-color-scheme:dark)';
const LIGHT = '@media (prefers-color-scheme:light)';

// Blocks are cells of tables. A node that is hidden in this window stays hidden.
const darkImages = (prefix: string): string[] => [
  `${prefix}.galley-light-only{display:none!important}`,
  `${prefix}.galley-dark-only{display:table-cell!important}`,
];
const HIDDEN_DARK_IMAGES = ['', '[data-ogsc] '].flatMap((prefix) => [
  `${NARROW}{${prefix}.galley-desktop-only.galley-dark-only{display:none!important}}`,
  `${WIDE}{${prefix}.galley-mobile-only.galley-dark-only{display:none!important}}`,
]);
// Outlook on Windows hides only elements that have `mso-hide` themselves.
const HIDE_DARK_IMAGES =
  '.galley-dark-only{display:none;mso-hide:all}.galley-dark-only table,.galley-dark-only td{mso-hide:all}';

/**
 * The rules of a document that cannot be inline, because they apply only on an occasion. Nodes with equal rules share a
 * class.
 */
export class StyleSheet {
  private readonly classes = new Map<string, string>();
  private readonly outlookRules: string[] = [];
  /** Whether images differ in dark mode. */
  hasDarkImages = false;
  private readonly rules: Record<Occasion, string[]> = {
    mobile: [],
    dark: [],
    hover: [],
    'hover-light': [],
  };

  /** Returns the class of the elements to which the rules apply. */
  classOf(rules: readonly Rule[]): string {
    const key = JSON.stringify(rules);
    const known = this.classes.get(key);
    if (known !== undefined) return known;
    const name = `galley-${this.classes.size + 1}`;
    this.classes.set(key, name);
    for (const { occasion, selectors, declarations } of rules) {
      const absolute = selectors.map((selector) => `.${name}${selector}`);
      this.add(occasion, absolute, declarations);
      if (occasion === 'dark') this.addForOutlook(absolute, declarations);
    }
    return name;
  }

  /** Adds a rule whose selectors are not relative to a class. */
  add(occasion: Occasion, selectors: readonly string[], declarations: readonly string[]): void {
    this.rules[occasion].push(ruleOf(selectors, declarations));
  }

  /**
   * Outlook.com and the apps of Outlook ignore the media query of dark mode. They set the attribute `data-ogsb` where
   * they change backgrounds, and `data-ogsc` where they change other colours.
   */
  private addForOutlook(selectors: readonly string[], declarations: readonly string[]): void {
    const isBackground = (text: string) => text.startsWith('background');
    for (const [attribute, some] of [
      ['data-ogsb', declarations.filter(isBackground)],
      ['data-ogsc', declarations.filter((text) => !isBackground(text))],
    ] as const) {
      const inside = selectors.map((selector) => `[${attribute}] ${selector}`);
      if (some.length > 0) this.outlookRules.push(ruleOf(inside, some));
    }
  }

  /** Whether a rule applies in dark mode. */
  get isForDarkMode(): boolean {
    return this.rules.dark.length > 0 || this.hasDarkImages;
  }

  /** The style sheet without the rules for dark mode. */
  get css(): string {
    const { mobile, hover } = this.rules;
    return [
      ...(mobile.length > 0 ? [`${NARROW}{${mobile.join('')}}`] : []),
      ...hover,
      // Clients that drop the style sheet for dark mode must hide these images, too.
      ...(this.hasDarkImages ? [HIDE_DARK_IMAGES] : []),
    ].join('\n');
  }

  /**
   * The rules for dark mode. They need a style sheet of their own, because some clients ignore the whole style sheet if
   * they do not know one of its media queries.
   */
  get darkCss(): string {
    const { dark, 'hover-light': light } = this.rules;
    const images = this.hasDarkImages ? darkImages('') : [];
    return [
      ':root{color-scheme:light dark;supported-color-schemes:light dark}',
      `${DARK}{${[...dark, ...images].join('')}}`,
      ...(light.length > 0 ? [`${LIGHT}{${light.join('')}}`] : []),
      ...this.outlookRules,
      ...(this.hasDarkImages ? [...darkImages('[data-ogsc] '), ...HIDDEN_DARK_IMAGES] : []),
    ].join('\n');
  }
}

const ruleOf = (selectors: readonly string[], declarations: readonly string[]): string =>
  `${selectors.join(',')}{${declarations.map((text) => `${text}!important`).join(';')}}`;
