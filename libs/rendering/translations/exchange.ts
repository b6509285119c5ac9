import { parseTree, type Edit, type Node } from 'jsonc-parser';
import type { ErrorDetail } from '#errors';
import {
  isObject,
  MAX_RESULT_CHARACTERS,
  RESULT_TOO_LARGE,
  textIn,
  type DocumentNode,
} from '../document/index.js';
import type { FileFormat, TextInLanguage } from './file-formats.js';
import { readFile, writeFile } from './files.js';
import { canonicalLanguage, TranslationReader, type Translation } from './languages.js';
import { progressOf, type Progress } from './progress.js';
import { nodesWithTexts, type NodeText } from './texts.js';

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
  /** A file with translations, instead of `texts`. Its content is a JSON string. */
  file?: { format: FileFormat; content: string } | undefined;
}

/** The document with the translations, or the reasons why the translations do not match the document. */
export type Written = { content: string } | { problems: ErrorDetail[] };

// The number of problems that help to correct a file.
const MAX_PROBLEMS = 100;

/** Reads or writes the translations of a document. Runs in a worker thread, because files are parsed. */
export default function exchange(
  task: ReadTask | WriteTask,
): TranslationsRead | Written | { reason: string } {
  return task.action === 'read' ? read(task) : write(task);
}

function read({ content, language, format }: ReadTask): TranslationsRead | { reason: string } {
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
  // The id of a node stands before each of its texts, so the list may be much longer than the document.
  const length = texts.reduce((sum, { id, source, text }) => {
    return sum + id.length + source.length + (text?.length ?? 0);
  }, 0);
  if (length > MAX_RESULT_CHARACTERS) return { reason: RESULT_TOO_LARGE };
  if (format === undefined) return { sourceLanguage, texts };
  return { sourceLanguage, file: writeFile(format, { texts, language, sourceLanguage }) };
}

/** Stores translations in a document, all or none of them. */
function write({ content, language, texts, file }: WriteTask): Written {
  const given = file
    ? readFile(file.format, JSON.parse(file.content) as string, language)
    : { texts: texts ?? [] };
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
      // A translator may return a file that is not finished, with outdated translations that nobody has looked at.
      if (file && (isBlank || text === found.translation?.text)) continue;
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

const MAX_ID_LENGTH = 100;

/** The `id` of a node, unless it is very long or could be confused with a JSON Pointer. */
const idOf = ({ id }: DocumentNode): string | undefined =>
  typeof id === 'string' && id !== '' && id.length <= MAX_ID_LENGTH && !id.includes('/')
    ? id
    : undefined;

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
    const object = root && nodeAt(root, stepsOf(path));
    if (object) edits.push(...editsOf(object, mergedTranslations(node, language, texts)));
  }
  // `applyEdits` of the library copies the whole text for each edit.
  const parts: string[] = [];
  let end = 0;
  for (const edit of edits.sort((one, other) => one.offset - other.offset)) {
    parts.push(content.slice(end, edit.offset), edit.content);
    end = edit.offset + edit.length;
  }
  return parts.join('') + content.slice(end);
}

/** Finds a node like JSON.parse: of several members with one name, the last one counts. */
function nodeAt(root: Node, steps: readonly (string | number)[]): Node | undefined {
  return steps.reduce<Node | undefined>(
    (node, step) => (typeof step === 'number' ? node?.children?.[step] : memberOf(node, step)),
    root,
  );
}

const memberOf = (object: Node | undefined, name: string): Node | undefined =>
  object?.children?.findLast(({ children }) => children?.[0]?.value === name)?.children?.[1];

function mergedTranslations(
  { translations }: DocumentNode,
  language: string,
  texts: ChangedNode['texts'],
): DocumentNode {
  const merged: DocumentNode = isObject(translations) ? { ...translations } : {};
  const spellings = Object.keys(merged).filter((each) => canonicalLanguage(each) === language);
  const [tag = language, ...others] = spellings;
  // A reader of the document lets the last spelling win.
  const ofLanguage: DocumentNode = {};
  for (const each of spellings) if (isObject(merged[each])) Object.assign(ofLanguage, merged[each]);
  for (const [{ pointer, text: source }, text] of texts) {
    ofLanguage[pointer] = text === undefined ? undefined : { text, source };
  }
  for (const other of others) merged[other] = undefined;
  const hasTexts = Object.values(ofLanguage).some((each) => each !== undefined);
  merged[tag] = hasTexts ? ofLanguage : undefined;
  return merged;
}

function editsOf(object: Node, translations: DocumentNode): Edit[] {
  const value = memberOf(object, NAME);
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
  text.replace(/\r\n?/g, '\n').replace(/[^\P{Cc}\t\n\r]|[\ufffe\uffff]/gu, '');

// A message repeats the beginning of an id or a text.
const MAX_SHOWN = 100;
const shorten = (text: string): string =>
  JSON.stringify(text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text);
