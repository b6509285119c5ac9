import type { Page } from 'playwright-core';

const SIDES = ['top', 'right', 'bottom', 'left'];
const sides = (prefix: string, suffix = '') => SIDES.map((side) => `${prefix}-${side}${suffix}`);

/** The computed styles that are compared. */
const STYLES =
  `color background-color background-image background-position background-repeat background-size
   direction display font-family font-size font-style font-weight letter-spacing line-height
   text-align text-decoration-line text-transform vertical-align table-layout border-collapse float
   border-top-left-radius border-top-right-radius max-width max-height width height`
    .split(/\s+/)
    .concat(...['padding', 'margin'].map((name) => sides(name)))
    .concat(...['-width', '-style', '-color'].map((suffix) => sides('border', suffix)));

/** What differs between two parts of a page: computed styles, attributes, and whether the elements differ. */
export interface Difference {
  styles: string[];
  attributes: string[];
  hasOtherElements: boolean;
}

/**
 * Compares parts of a page, which have the classes `reference-0` and `variant-0`, `reference-1` and `variant-1`, and so
 * on. Inline styles are not compared, nor the classes of
 * Galley and MJML, nor the ids, which MJML makes at random.
 */
export const compareParts = (page: Page, count: number): Promise<Difference[]> =>
  page.evaluate<Difference[]>(`(() => {
    const NAMES = ${JSON.stringify(STYLES)};
    const elementsIn = (name) => [...document.querySelectorAll('.' + name + ' *')];
    const isOwn = (name) => !/^(?:galley|mj|reference|variant)-/.test(name);
    const attributesOf = (element) => Object.fromEntries([...element.attributes]
      .filter(({ name }) => !['class', 'style', 'id', 'for'].includes(name))
      .map(({ name, value }) => [name, value])
      .concat([['text', element.children.length > 0 ? '' : element.textContent]])
      .concat([['class', [...element.classList].filter(isOwn).join(' ')]]));
    const read = (name) => elementsIn(name).map((element) => {
      const computed = getComputedStyle(element);
      return {
        tag: element.tagName,
        attributes: attributesOf(element),
        styles: Object.fromEntries(NAMES.map((each) => [each, computed.getPropertyValue(each)])),
      };
    });
    const differing = (one, other) => [...new Set([...Object.keys(one), ...Object.keys(other)])]
      .filter((name) => one[name] !== other[name]);
    return Array.from({ length: ${count} }, (_, index) => {
      const before = read('reference-' + index);
      const after = read('variant-' + index);
      const tags = (elements) => elements.map(({ tag }) => tag).join();
      const hasOtherElements = tags(before) !== tags(after);
      const pairs = hasOtherElements ? [] : before.map((each, at) => [each, after[at]]);
      return {
        hasOtherElements,
        styles: [...new Set(pairs.flatMap(([a, b]) => differing(a.styles, b.styles)))],
        attributes: [...new Set(pairs.flatMap(([a, b]) => differing(a.attributes, b.attributes)))],
      };
    });
  })()`);

/** Names the difference in the table: the styles that say most, or else the attributes. */
export function describeDifference(name: string, difference: Difference): string | undefined {
  const { styles, attributes, hasOtherElements } = difference;
  if (hasOtherElements) return 'other elements';
  const rank = (style: string) =>
    style === name
      ? 0
      : style.startsWith(name) || name.endsWith(style)
        ? 1
        : ['width', 'height'].includes(style)
          ? 3
          : 2;
  const [first] = styles.toSorted((a, b) => rank(a) - rank(b));
  if (first !== undefined) return `\`${first}\``;
  const [attribute] = attributes;
  if (attribute === 'text') return 'the text';
  return attribute === undefined ? undefined : `the attribute \`${attribute}\``;
}
