import { Tokenizer, TokenizerMode, type Token } from 'parse5';
import type { Found } from './placeholders.js';

// cspell:words RAWTEXT RCDATA

/** At the beginning of an address; later in an address; in an address of the schemes `mailto`, `tel` and `sms`. */
export type UrlPlace = 'url' | 'urlPart' | 'contact';
/** Where a value stands. */
export type PlaceOfTag = 'text' | 'attribute' | UrlPlace;

/**
 * The place of a placeholder; undefined if no value may stand
 * there. Call this for placeholders in the order of the text.
 */
export type PlaceOf = (found: Found) => PlaceOfTag | undefined;

/** @param beginning the address before the value. */
export function placeInUrl(beginning: string): UrlPlace {
  if (beginning.trim() === '') return 'url';
  return /^\s*(?:mailto|tel|sms):/i.test(beginning) ? 'contact' : 'urlPart';
}

/** Reads HTML, also the parts that only Outlook sees, to find the places where values may stand. */
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

/** A text or the value of an attribute. */
interface Area {
  start: number;
  end: number;
  kind: 'text' | 'attribute' | 'url';
}

const URL_ATTRIBUTES = new Set(['href', 'src', 'background', 'poster', 'cite', 'action', 'srcset']);
const CODE_ATTRIBUTE = /^(?:style|on.*)$/;
const CONDITION = /^<!--\[if [^\]]*\]>/;
// HTML, section 13.2.6: the texts of these elements are no HTML.
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
