import type { Attributes } from '../../document/index.js';
import type { MjmlNode } from './mjml-node.js';

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

/** The pixels in a length or a border such as `1px solid red`. */
function pixelsOf(value: string): number | undefined {
  const [, number] = /^(\d+(?:\.\d+)?)(?:px)?(?:\s|$)/.exec(value) ?? [];
  if (number !== undefined) return Number(number);
  return value === 'none' || value === '' ? 0 : undefined;
}

/**
 * Shares the rest of the width among the columns that set none, if others do. MJML would give each of them its share of
 * the whole width.
 *
 * @param width the width of all columns, in pixels; undefined if it is not known.
 */
export function shareRest(children: readonly MjmlNode[], width: number | undefined): MjmlNode[] {
  const columns = children.filter(({ tagName }) => tagName === 'mj-column');
  const widths = columns.map(({ attributes }) => attributes?.['width']);
  const others = widths.filter((each) => each === undefined).length;
  if (others === 0 || others === widths.length) return [...children];
  const shares = widths.map((each = '0%') => {
    if (each.endsWith('%')) return Number.parseFloat(each);
    return width === undefined ? Number.NaN : (Number.parseFloat(each) * 100) / width;
  });
  const rest = 100 - shares.reduce((sum, share) => sum + share, 0);
  if (!(rest > 0)) return [...children];
  return children.map((child) =>
    child.tagName === 'mj-column' && child.attributes?.['width'] === undefined
      ? { ...child, attributes: { ...child.attributes, width: `${rest / others}%` } }
      : child,
  );
}
