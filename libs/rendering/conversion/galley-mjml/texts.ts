import { htmlInside, parseHtml } from '../html/parse-html.js';
import type { NodeKind } from '../mjml/shared-styles.js';

/** A heading or list that Galley has drawn as `mj-text`. */
interface GalleyText {
  type: 'heading' | 'list';
  kind: NodeKind;
  props: Record<string, unknown>;
}

const HEADING =
  /^<h([1-6]) style="margin:0;font-size:([^;"]*);font-weight:([^;"]*);line-height:([^;"]*)">([^]*)<\/h\1>$/;
const LIST = /^<(ul|ol) style="margin:0;padding:(?:0 0 0 24px|0 24px 0 0)">([^]*)<\/\1>$/;

/** Reads a heading, if its tag has the styles that Galley copies from the attributes of the element. */
export function readHeading(
  content: string,
  attributes: Record<string, string>,
): GalleyText | undefined {
  const [, level = '', size, weight, height, text = ''] = HEADING.exec(content) ?? [];
  const isSame =
    attributes['font-size'] === size &&
    attributes['font-weight'] === weight &&
    attributes['line-height'] === height;
  if (level === '' || !isSame || text.includes(`</h${level}`)) return undefined;
  const props = { content: text, ...(level !== '2' && { level: Number(level) }) };
  return { type: 'heading', kind: `heading${level}` as NodeKind, props };
}

/** Reads a list whose items have no styles. */
export function readList(content: string): GalleyText | undefined {
  const [, tag = '', inside = ''] = LIST.exec(content) ?? [];
  if (tag === '') return undefined;
  const document = parseHtml(inside);
  const items = document.children.flatMap((node) =>
    'attribs' in node && node.name === 'li' && Object.keys(node.attribs).length === 0
      ? [htmlInside(node)]
      : [],
  );
  if (items.length !== document.children.length) return undefined;
  const props = { items, ...(tag === 'ol' && { ordered: true }) };
  return { type: 'list', kind: 'list', props };
}
