import { Parser } from 'htmlparser2';
import { escapeMarkup, escapeText } from '../document/index.js';
import { canonicalLanguage } from './languages.js';
import type { ReadFile, TranslationFile } from './file-formats.js';

const NAMESPACE = 'urn:oasis:names:tc:xliff:document:2.0';
// The code of BCP 47 for a language that is not known.
const UNKNOWN_LANGUAGE = 'und';

/**
 * Writes XLIFF 2.0. The `id` of a unit must be a name token, so the id of the text is in `name`, which may be any text.
 */
export function writeXliff({ texts, language, sourceLanguage }: TranslationFile): string {
  const units = texts.map(({ id, source, text, isOutdated }, index) => {
    const state = text === null || isOutdated ? 'initial' : 'translated';
    const target = text === null ? '' : `\n        <target>${escaped(text)}</target>`;
    return `    <unit id="u${index + 1}" name="${escapeText(id)}">
      <segment state="${state}">
        <source>${escaped(source)}</source>${target}
      </segment>
    </unit>`;
  });
  const languages = `srcLang="${sourceLanguage ?? UNKNOWN_LANGUAGE}" trgLang="${language}"`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<xliff xmlns="${NAMESPACE}" version="2.0" ${languages} xml:space="preserve">
  <file id="email">
${units.join('\n')}
  </file>
</xliff>
`;
}

// XML has no such characters, not even as references.
const escaped = (text: string): string =>
  escapeMarkup(text.replace(/[^\P{Cc}\t\n\r]|[\ufffe\uffff]/gu, ''));

interface Unit {
  id: string;
  parts: Part[];
}

/** A `segment`, or an `ignorable`, such as the white space between two segments. */
interface Part {
  isSegment: boolean;
  source: string;
  target: string;
  hasElements: boolean;
}

/** Reads XLIFF 2. Tools may have split a text into several segments, which are joined. */
export function readXliff(content: string, language: string): ReadFile {
  // Entities that a file defines itself could expand to gigabytes.
  if (content.includes('<!DOCTYPE')) return refuse('the file must have no document type');
  const { root, units, isComplete } = parseXliff(content);
  if (root?.name !== 'xliff' || !root.attributes['version']?.startsWith('2.')) {
    return refuse('the file must be XLIFF 2.0, with the root element <xliff version="2.0">');
  }
  if (!isComplete) return refuse('the file must have a closing tag for each element');
  const { trgLang } = root.attributes;
  if (trgLang !== undefined && canonicalLanguage(trgLang) !== language) {
    return refuse(`the file has translations into ${trgLang.slice(0, 50)}, not ${language}`);
  }
  const marked = units.findIndex(({ parts }) => parts.some(({ hasElements }) => hasElements));
  if (marked >= 0) {
    const message = `the text ${units[marked]?.id.slice(0, 100)} contains XML elements; markup of the email must be escaped, as in &lt;b&gt;`;
    return { problems: [{ path: `texts/${marked}`, message }] };
  }
  return {
    texts: units.map(({ id, parts }) => ({
      id,
      source: parts.map(({ source }) => source).join(''),
      text: targetOf(parts),
    })),
  };
}

const refuse = (message: string): ReadFile => ({ problems: [{ path: 'file', message }] });

/** The translation of a text; null if a translator has not finished it. */
function targetOf(parts: readonly Part[]): string | null {
  const isMissing = ({ isSegment, source, target }: Part) =>
    isSegment && target.trim() === '' && source.trim() !== '';
  if (parts.some(isMissing)) return null;
  // White space between segments has often no translation of its own.
  return parts
    .map(({ isSegment, source, target }) => (isSegment || target !== '' ? target : source))
    .join('');
}

interface Xliff {
  root?: { name: string; attributes: Record<string, string> };
  units: Unit[];
  isComplete: boolean;
}

function parseXliff(content: string): Xliff {
  const xliff: Xliff = { units: [], isComplete: true };
  let part: Part | undefined;
  let text: 'source' | 'target' | undefined;
  const parser = new Parser(
    {
      onopentag(tagName, attributes) {
        const name = localName(tagName);
        xliff.root ??= { name, attributes };
        if (text !== undefined && part) part.hasElements = true;
        else if (name === 'unit') {
          xliff.units.push({ id: attributes['name'] ?? attributes['id'] ?? '', parts: [] });
        } else if (name === 'segment' || name === 'ignorable') {
          part = { isSegment: name === 'segment', source: '', target: '', hasElements: false };
          xliff.units.at(-1)?.parts.push(part);
        } else if (part && (name === 'source' || name === 'target')) text = name;
      },
      ontext(data) {
        if (part && text) part[text] += data;
      },
      onclosetag(tagName, isImplied) {
        const name = localName(tagName);
        // The parser also calls a closing tag implied if an element closes itself.
        const tag = content.slice(parser.startIndex, parser.endIndex + 1);
        if (isImplied && !tag.endsWith('/>')) xliff.isComplete = false;
        if (name === text) text = undefined;
        if (name === 'segment' || name === 'ignorable') part = undefined;
      },
    },
    { xmlMode: true },
  );
  parser.end(content);
  return xliff;
}

/** The name of an element without the prefix of its namespace. */
const localName = (name: string): string => name.slice(name.indexOf(':') + 1);
