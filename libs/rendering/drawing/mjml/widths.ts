import type { Attributes } from '../../document/index.js';
import type { MjmlNode } from './mjml-node.js';
import { isShownInWideWindows } from './overrides/visibility.js';

const SIDES = ['top', 'right', 'bottom', 'left'] as const;

/** The four sides of a padding such as `10px 25px`. */
function sidesOf(padding: string): string[] {
  const [top = '0', right = top, bottom = top, left = right] = padding.trim().split(/\s+/);
  return [top, right, bottom, left];
}

/**
 * Replaces the paddings of single sides by one padding of all sides. Otherwise, a side that the document sets would win
 * over the `padding` of a node.
 *
 * @param outer the padding of the sides that are not set.
 */
export function withWholePadding(
  attributes: Record<string, string>,
  outer: string,
): Record<string, string> {
  const named = SIDES.map((side) => `padding-${side}`);
  if (!named.some((name) => attributes[name] !== undefined)) return attributes;
  const whole = sidesOf(attributes['padding'] ?? outer).map(
    (value, index) => attributes[named[index] ?? ''] ?? value,
  );
  const others = Object.entries(attributes).filter(([name]) => !named.includes(name));
  return { ...Object.fromEntries(others), padding: whole.join(' ') };
}

/** Returns the width inside the padding and the border of an element; undefined if it is not known. */
export function widthInside(width: number | undefined, attributes: Attributes): number | undefined {
  const [, right = '0', , left = '0'] = sidesOf(attributes['padding'] ?? '0');
  const { border = '0' } = attributes;
  const spaces = [
    attributes['padding-left'] ?? left,
    attributes['padding-right'] ?? right,
    attributes['border-left'] ?? border,
    attributes['border-right'] ?? border,
  ].map(pixelsOf);
  if (width === undefined || spaces.includes(undefined)) return undefined;
  return spaces.reduce<number>((rest, space) => rest - (space ?? 0), width);
}

/** Returns the padding above and below, in pixels; 0 if it is not known. */
export function verticalPadding(attributes: Attributes): number {
  const [top = '0', , bottom = '0'] = sidesOf(attributes['padding'] ?? '0');
  const sides = [attributes['padding-top'] ?? top, attributes['padding-bottom'] ?? bottom];
  return sides.reduce((sum, side) => sum + (pixelsOf(side) ?? 0), 0);
}

/** The pixels in a length or a border such as `1px solid red`. */
function pixelsOf(value: string): number | undefined {
  const [, number] = /^(\d+(?:\.\d+)?)(?:px)?(?:\s|$)/.exec(value) ?? [];
  if (number !== undefined) return Number(number);
  return value === 'none' || value === '' ? 0 : undefined;
}

/**
 * Shares the width among the columns that set none. MJML would give each of them an equal share of the whole width, also
 * if other columns set a width, or are only for phones.
 *
 * @param width the width of all columns, in pixels; undefined if it is not known.
 */
export function shareWidth(children: readonly MjmlNode[], width?: number): MjmlNode[] {
  // The other children are `mj-raw` elements: placeholders that begin or end a condition or a repetition.
  const columns = children.filter(({ tagName }) => tagName === 'mj-column');
  const shown = columns.filter(isShownInWideWindows);
  const widths = shown.map(({ attributes }) => attributes?.['width']);
  const count = widths.filter((each) => each === undefined).length;
  const isEqual = count === columns.length;
  if (isEqual || count === 0) return [...children];
  const shares = widths.map((each = '0%') => {
    if (each.endsWith('%')) return Number.parseFloat(each);
    return width === undefined ? Number.NaN : (Number.parseFloat(each) * 100) / width;
  });
  const rest = 100 - shares.reduce((sum, share) => sum + share, 0);
  if (!(rest > 0)) return [...children];
  return children.map((child) =>
    shown.includes(child) && child.attributes?.['width'] === undefined
      ? { ...child, attributes: { width: `${rest / count}%`, ...child.attributes } }
      : child,
  );
}
