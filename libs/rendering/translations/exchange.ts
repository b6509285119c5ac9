import { applyEdits, findNodeAtLocation, parseTree, type Edit, type Node } from 'jsonc-parser';
import type { ErrorDetail } from '#errors';
import { isObject, textIn, type DocumentNode } from '../document/index.js';
import type { FileFormat } from './file-formats.js';
import { readFile, writeFile } from './files.js';
import { canonicalLanguage, TranslationReader, type Translation } from './languages.js';
import { progressOf, type Progress } from './progress.js';
import { nodesWithTexts, type NodeText } from './texts.js';

/** A text of a document, and its translation into one language. */
export interface TextInLanguage {
  /**
   * The `id` of the node and the place of the text in the node, such as `greeting/content`. A node without an `id` of
   * its own has its JSON Pointer instead.
   */
  id: string;
  /** The text in the language of the document. */
  source: string;
  /** The translation; null if there is none. */
  text: string | null;
  /** Whether the text changed after it was translated. */
  isOutdated: boolean;
}

export interface ReadTask {
  action: 'read';
  /** The document as JSON. */
  content: string;
  /** The canonical language; undefined to count the texts of all languages. */
  language?: string | undefined;
  /** The file to write; undefined for the texts. */
  format?: FileFormat | undefined;
}

/** The translations into one language, a file with them, or the progress of all languages. */
export interface TranslationsRead {
  /** The language of the document; null if the document does not say it. */
  sourceLanguage: string | null;
  languages?: Progress[];
  texts?: TextInLanguage[];
  file?: string;
}

export interface WriteTask {
  action: 'write';
  content: string;
  /** The canonical language. */
  language: string;
  /** The translations. A text that is null removes the translation. */
  texts?: readonly { id: string; text: string | null; source?: string | undefined }[] | undefined;
  /** A file with translations, instead of `texts`. */
  file?: { format: FileFormat; content: string } | undefined;
}

/** The document with the translations, or the reasons why the translations do not match the document. */
export type Written = { content: string } | { problems: ErrorDetail[] };

// The number of problems that help to correct a file.
const MAX_PROBLEMS = 100;

/** Reads or writes the translations of a document. Runs in a worker thread, because files are parsed. */
export default function exchange(task: ReadTask | WriteTask): TranslationsRead | Written {
  return task.action === 'read' ? read(task) : write(task);
}

function read({ content, language, format }: ReadTask): TranslationsRead {
  const document = parse(content);
  const sourceLanguage = canonicalLanguage(textIn(document, 'language') ?? '') ?? null;
  if (language === undefined) {
    const languages = progressOf(document).map(
      ({ missingPaths: _missing, outdatedPaths: _outdated, ...progress }) => progress,
    );
    return { sourceLanguage, languages };
  }
  const texts = textsOf(document, language).map(
    ({ id, text: { text: source }, translation }): TextInLanguage => ({
      id,
      source,
      text: translation?.text ?? null,
      isOutdated: translation?.source !== undefined && translation.source !== source,
    }),
  );
  if (format === undefined) return { sourceLanguage, texts };
  return { sourceLanguage, file: writeFile(format, { texts, language, sourceLanguage }) };
}

/** Stores translations in a document, all or none of them. */
function write({ content, language, texts, file }: WriteTask): Written {
  const given = file ? readFile(file.format, file.content, language) : { texts: texts ?? [] };
  if ('problems' in given) return given;
  const document = parse(content);
  if (canonicalLanguage(textIn(document, 'language') ?? '') === language) {
    return {
      problems: [
        {
          path: 'language',
          message: `the texts of the document are in ${language} already; change the document instead`,
        },
      ],
    };
  }
  const known = new Map(textsOf(document, language).map((text) => [text.id, text]));
  const problems: ErrorDetail[] = [];
  const changed = new Map<DocumentNode, ChangedNode>();
  for (const [index, { id, text, source }] of given.texts.entries()) {
    const found = known.get(id);
    const path = `texts/${index}`;
    if (found === undefined) {
      problems.push({ path, message: `the document has no text with the id ${shorten(id)}` });
    } else if (source !== undefined && !areSame(source, found.text.text)) {
      const message = `the text of ${shorten(id)} is not the source of this translation any more: ${shorten(found.text.text)}`;
      problems.push({ path, message });
    } else {
      const isBlank = text === null || text.trim() === '';
      // A translator may return a file that is not finished.
      if (isBlank && file) continue;
      const node = changed.get(found.node) ?? { path: found.nodePath, texts: new Map() };
      node.texts.set(found.text, isBlank ? undefined : text);
      changed.set(found.node, node);
    }
    if (problems.length === MAX_PROBLEMS) break;
  }
  if (problems.length > 0) return { problems };
  return { content: store(content, language, changed) };
}

interface FoundText {
  id: string;
  node: DocumentNode;
  nodePath: string;
  text: NodeText;
  translation: Translation | undefined;
}

/** The texts with words of a document, with the ids by which translators name them. */
function textsOf(document: DocumentNode, language: string): FoundText[] {
  const reader = new TranslationReader();
  const nodes = Array.from(nodesWithTexts(document));
  const counts = new Map<string, number>();
  for (const { node } of nodes) {
    const id = idOf(node);
    if (id !== undefined) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return nodes.flatMap(({ node, path: nodePath, texts }) => {
    const ofLanguage = reader.read(node).get(language);
    const id = idOf(node);
    const isUnique = id !== undefined && counts.get(id) === 1;
    const prefix = nodePath === '' ? '' : `${isUnique ? id : nodePath}/`;
    return texts
      .filter(({ hasWords }) => hasWords)
      .map((text) => ({
        id: prefix + text.pointer,
        node,
        nodePath,
        text,
        translation: ofLanguage?.get(text.pointer),
      }));
  });
}

/** The `id` of a node, unless it could be confused with a JSON Pointer. */
const idOf = ({ id }: DocumentNode): string | undefined =>
  typeof id === 'string' && id !== '' && !id.includes('/') ? id : undefined;

interface ChangedNode {
  path: string;
  /** The new translation of each text; undefined to remove it. */
  texts: Map<NodeText, string | undefined>;
}

/** Writes the `translations` members into the JSON, and keeps everything else byte for byte. */
function store(
  content: string,
  language: string,
  changed: ReadonlyMap<DocumentNode, ChangedNode>,
): string {
  const root = parseTree(content);
  const edits: Edit[] = [];
  for (const [node, { path, texts }] of changed) {
    const object = root && findNodeAtLocation(root, stepsOf(path));
    if (object) edits.push(...editsOf(object, mergedTranslations(node, language, texts)));
  }
  return applyEdits(content, edits);
}

function mergedTranslations(
  { translations }: DocumentNode,
  language: string,
  texts: ChangedNode['texts'],
): DocumentNode {
  const merged: DocumentNode = isObject(translations) ? { ...translations } : {};
  const tag = Object.keys(merged).find((each) => canonicalLanguage(each) === language) ?? language;
  const ofLanguage: DocumentNode = isObject(merged[tag]) ? { ...merged[tag] } : {};
  for (const [{ pointer, text: source }, text] of texts) {
    if (text === undefined) delete ofLanguage[pointer];
    else ofLanguage[pointer] = { text, source };
  }
  if (Object.keys(ofLanguage).length > 0) merged[tag] = ofLanguage;
  else delete merged[tag];
  return merged;
}

function editsOf(object: Node, translations: DocumentNode): Edit[] {
  // Of several members with one name, the last one counts.
  const member = object.children?.findLast(({ children }) => children?.[0]?.value === NAME);
  const value = member?.children?.[1];
  const text = JSON.stringify(translations);
  if (value) return [{ offset: value.offset, length: value.length, content: text }];
  if (text === '{}') return [];
  const comma = object.children?.length ? ',' : '';
  const end = object.offset + object.length - 1;
  return [{ offset: end, length: 0, content: `${comma}"${NAME}":${text}` }];
}
const NAME = 'translations';

const stepsOf = (path: string): (string | number)[] =>
  path
    .split('/')
    .slice(1)
    .map((step, index) => (index % 2 === 1 ? Number(step) : step));

function parse(content: string): DocumentNode {
  const document: unknown = JSON.parse(content);
  return isObject(document) ? document : {};
}

// Files have one form of line breaks, and XML has no control characters.
const areSame = (one: string, other: string): boolean => plain(one) === plain(other);
const plain = (text: string): string =>
  text.replace(/\r\n?/g, '\n').replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '');

// A message repeats the beginning of an id or a text.
const MAX_SHOWN = 100;
const shorten = (text: string): string =>
  JSON.stringify(text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text);
