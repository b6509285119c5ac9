import { XMLParser } from 'fast-xml-parser';
import { escapeMarkup, escapeText } from '../document/index.js';
import { canonicalLanguage } from './languages.js';
import type { ReadFile, TranslationFile } from './files.js';

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
  escapeMarkup(text.replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, ''));

/** An element as the parser returns it: its name with its children, and `:@` with its attributes. */
type Element = Record<string, unknown>;

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseTagValue: false,
  trimValues: false,
  removeNSPrefix: true,
});

/** Reads XLIFF 2. Tools may have split a text into several segments, which are joined. */
export function readXliff(content: string, language: string): ReadFile {
  // Entities that a file defines itself could expand to gigabytes.
  if (content.includes('<!DOCTYPE')) return refuse('the file must have no document type');
  const elements = parser.parse(content, true) as Element[];
  const root = elements.find((each) => 'xliff' in each);
  const version = root && attribute(root, 'version');
  if (root === undefined || !version?.startsWith('2.')) {
    return refuse('the file must be XLIFF 2.0, with the root element <xliff version="2.0">');
  }
  const target = attribute(root, 'trgLang');
  if (target !== undefined && canonicalLanguage(target) !== language) {
    return refuse(`the file has translations into ${target.slice(0, 50)}, not ${language}`);
  }
  const texts = Array.from(unitsIn(childrenOf(root)), (unit) => {
    const id = attribute(unit, 'name') ?? attribute(unit, 'id') ?? '';
    const source = joined(unit, 'source') ?? '';
    return { id, source, text: joined(unit, 'target') ?? null };
  });
  const marked = texts.findIndex(({ source, text }) => [source, text].includes(INLINE));
  if (marked < 0) return { texts };
  const message = `the text ${texts[marked]?.id.slice(0, 100)} contains XML elements; markup of the email must be escaped, as in &lt;b&gt;`;
  return { problems: [{ path: `texts/${marked}`, message }] };
}

const refuse = (message: string): ReadFile => ({ problems: [{ path: 'file', message }] });

const nameOf = (element: Element): string => Object.keys(element).find((key) => key !== ':@') ?? '';
const childrenOf = (element: Element): Element[] => {
  const children = element[nameOf(element)];
  return Array.isArray(children) ? (children as Element[]) : [];
};
const attribute = (element: Element, name: string): string | undefined =>
  (element[':@'] as Record<string, string> | undefined)?.[name];

/** The units of files and of groups. */
function* unitsIn(elements: readonly Element[]): Generator<Element> {
  for (const element of elements) {
    const name = nameOf(element);
    if (name === 'unit') yield element;
    else if (name === 'file' || name === 'group') yield* unitsIn(childrenOf(element));
  }
}

// Stands for a text with inline elements, which no text of a document equals.
const INLINE = '\0';

/** The text of a unit; undefined if no segment has one. */
function joined(unit: Element, name: 'source' | 'target'): string | undefined {
  const parts = childrenOf(unit)
    .filter((each) => 'segment' in each || 'ignorable' in each)
    .flatMap((segment) => {
      const children = childrenOf(segment);
      const found = children.find((each) => name in each);
      // White space between segments has often no translation of its own.
      if (found === undefined && 'ignorable' in segment)
        return children.filter((each) => 'source' in each);
      return found ? [found] : [];
    });
  const contents = parts.flatMap(childrenOf);
  if (!parts.some((part) => name in part)) return undefined;
  if (contents.some((each) => nameOf(each) !== '#text')) return INLINE;
  return contents.map((each) => String(each['#text'])).join('');
}
