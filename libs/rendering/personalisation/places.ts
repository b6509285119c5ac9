import { Tokenizer, TokenizerMode, type Token } from 'parse5';
import type { Found } from './placeholders.js';

// cspell:words RAWTEXT RCDATA

/**
 * A place in a URL. `url` is the beginning, `urlPart` is any later place, and `contact` is any later place in a URL
 * with the scheme `mailto`, `tel` or `sms`.
 */
export type UrlPlace = 'url' | 'urlPart' | 'contact';
/** The place of a value in the HTML, which determines how the value is escaped. */
export type PlaceOfTag = 'text' | 'attribute' | UrlPlace;

/**
 * Returns the place of a placeholder, or undefined if no value is allowed there. Must be called for the placeholders in
 * text order.
 */
export type PlaceOf = (found: Found) => PlaceOfTag | undefined;

/** @param beginning the part of the URL before the value. */
export function placeInUrl(beginning: string): UrlPlace {
  if (beginning.trim() === '') return 'url';
  return /^\s*(?:mailto|tel|sms):/i.test(beginning) ? 'contact' : 'urlPart';
}

/** Parses HTML, including the parts that only Outlook sees, to find the places where values are allowed. */
export function placesIn(html: string): PlaceOf {
  const areas: Area[] = [];
  readAreas(html, 0, areas);
  let next = 0;
  return ({ start, end }) => {
    while ((areas[next]?.end ?? Infinity) < end) next++;
    const area = areas[next];
    if (area === undefined || area.start > start) return undefined;
    return area.kind === 'url' ? placeInUrl(html.slice(area.start, start)) : area.kind;
  };
}

/** A range of the HTML in which values are allowed: text, or the value of an attribute. */
interface Area {
  start: number;
  end: number;
  kind: 'text' | 'attribute' | 'url';
}

const URL_ATTRIBUTES = new Set([
  'href',
  'src',
  'background',
  'poster',
  'cite',
  'action',
  'srcset',
  'icon-wrapped-url',
  'icon-unwrapped-url',
]);
const CODE_ATTRIBUTE = /^(?:style|on.*)$/;
const CONDITION = /^<!--\[if [^\]]*\]>/;
// HTML, section 13.2.6: the contents of these elements are not parsed as HTML.
const MODES: Record<string, 'RAWTEXT' | 'RCDATA'> = {
  style: 'RAWTEXT',
  script: 'RAWTEXT',
  title: 'RCDATA',
};

function readAreas(html: string, offset: number, areas: Area[]): void {
  let isCode = false;
  const ignore = () => undefined;
  const addText = ({ location }: Token.CharacterToken): void => {
    if (isCode || location === null) return;
    const { startOffset, endOffset } = location;
    areas.push({ start: startOffset + offset, end: endOffset + offset, kind: 'text' });
  };
  const tokenizer = new Tokenizer(
    { sourceCodeLocationInfo: true },
    {
      onCharacter: addText,
      onWhitespaceCharacter: ignore,
      onNullCharacter: ignore,
      onStartTag({ tagName, location }) {
        const mode = MODES[tagName];
        if (mode) tokenizer.state = TokenizerMode[mode];
        isCode = mode === 'RAWTEXT';
        for (const [name, { startOffset, endOffset }] of Object.entries(location?.attrs ?? {})) {
          const quote = html.indexOf('="', startOffset);
          if (quote === -1 || quote >= endOffset || CODE_ATTRIBUTE.test(name)) continue;
          const value = { start: quote + 2 + offset, end: endOffset - 1 + offset };
          areas.push({ ...value, kind: URL_ATTRIBUTES.has(name) ? 'url' : 'attribute' });
        }
      },
      onEndTag: () => (isCode = false),
      onComment({ location }) {
        const { startOffset = 0, endOffset = 0 } = location ?? {};
        const comment = html.slice(startOffset, endOffset);
        const [condition] = CONDITION.exec(comment) ?? [];
        if (condition === undefined) return;
        readAreas(comment.slice(condition.length), offset + startOffset + condition.length, areas);
      },
      onDoctype: ignore,
      onEof: ignore,
    },
  );
  tokenizer.write(html, true);
}
