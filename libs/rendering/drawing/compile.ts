import { setPriority } from 'node:os';
import { serialize } from 'node:v8';
import { isMainThread, workerData } from 'node:worker_threads';
import mjmlCore from 'mjml-core';
import presetCore from 'mjml-preset-core';
import { fullPreset, galleyPreset } from './mjml/components/galley-preset.js';
import { drawDocument, requireDrawable } from './mjml/document.js';
import { Drawing } from './mjml/drawing.js';
import {
  inboxTexts,
  MAX_LANGUAGE_LENGTH,
  MAX_RESULT_CHARACTERS,
  RenderWarnings,
  RESULT_TOO_LARGE,
  textIn,
  Undrawable,
  type DocumentNode,
  type InboxText,
  type RenderFormat,
  type RenderWarning,
  type ResultFormat,
} from '../document/index.js';
import { approximate, type MailClient } from '../mail-clients/index.js';
import { toMjmlText } from './mjml/mjml-node.js';
import {
  htmlProgram,
  lineProgram,
  Placeholders,
  replaceTags,
  tagsInUrls,
  textProgram,
  type Program,
} from '../personalisation/index.js';
import { translate } from '../translations/index.js';
import { declarationIn, defaultsIn, type Defaults } from '../variables/index.js';
import { documentText } from './document-text.js';

export interface Source {
  /** The document as JSON. */
  content: string;
  /** The title to use if the document has none. */
  title: string;
  format: RenderFormat;
  /** The mail client whose limits are applied to the HTML; undefined to keep the HTML unchanged. */
  client?: MailClient | undefined;
  /** The language of the texts as a canonical tag; undefined for the language of the document. */
  language?: string | undefined;
  /** The public URL of the API; undefined if it is unknown. */
  publicUrl?: string | undefined;
}

/** A document that is rendered, but not yet filled with data. */
export interface CompiledDocument {
  programs: Partial<Record<ResultFormat | InboxText, Program>>;
  warnings: RenderWarning[];
  /** The defaults of the variables that the document declares. */
  defaults?: Defaults | undefined;
  /** The `Intl` locale for numbers and dates. */
  locale: string;
  /** The language of which the email has texts, if a language was asked for. */
  language?: string | null | undefined;
  /** The serialised size of the programs and warnings, in bytes. */
  size: number;
}

/** The settings that a thread receives when it starts. */
export interface ThreadData {
  niceness: number;
}

const DEFAULT_LOCALE = 'en';

// On Linux, this call sets the priority of the thread: see setpriority(2), "C library/kernel differences". On other
// systems, the call would set the priority of the whole API process.
if (!isMainThread && process.platform === 'linux') {
  setPriority((workerData as ThreadData).niceness);
}

/**
 * Renders a document. Runs in a worker thread, because MJML takes about 20 ms for a document of 28 KB.
 *
 * @returns the compiled document, or the reason why Galley cannot draw the document.
 */
export default async function compile({
  content,
  title,
  format,
  client,
  language: wanted,
  publicUrl,
}: Source): Promise<CompiledDocument | { reason: string }> {
  const placeholders = new Placeholders();
  const warnings = new RenderWarnings();
  const wants = (each: ResultFormat) => format === each || format === 'all';
  try {
    const written = requireDrawable(JSON.parse(content));
    const language = wanted === undefined ? undefined : (translate(written, wanted) ?? null);
    const document = replaceTags(warnings, placeholders, written);
    const drawing = new Drawing(placeholders, warnings, document, publicUrl);
    placeholders.areIsolated = drawing.direction === 'rtl';
    const tree = drawDocument(drawing, document, title);
    const hasTags = placeholders.tags.length > 0;
    const treeText = wants('mjml') || (wants('text') && hasTags) ? toMjmlText(tree) : '';
    const results = {
      ...(wants('html') && { html: await htmlOf(drawing, tree, client) }),
      ...(wants('text') && {
        text: documentText(document, (node, text) => drawing.markText(node, text)),
      }),
      ...(wants('mjml') && { mjml: placeholders.unwrap(treeText) }),
    };
    const length = Object.values(results).reduce((sum, result) => sum + result.length, 0);
    if (length > MAX_RESULT_CHARACTERS) {
      throw new Undrawable(RESULT_TOO_LARGE);
    }
    const { html, text, mjml } = results;
    const programs = {
      ...inboxPrograms(drawing, document, placeholders),
      ...(html !== undefined && { html: htmlProgram(html, placeholders) }),
      ...(text !== undefined && {
        // Plain text does not show which tags are inside URLs, but MJML does.
        text: textProgram(
          text,
          placeholders,
          hasTags ? tagsInUrls(treeText, placeholders) : new Set(),
        ),
      }),
      ...(mjml !== undefined && { mjml: htmlProgram(mjml, placeholders) }),
    };
    const locale = localeOf(textIn(written, 'language'));
    const defaults = readDefaults(drawing, written);
    const size = serialize([programs, defaults, warnings.list]).byteLength;
    return { programs, defaults, warnings: warnings.list, locale, language, size };
  } catch (error) {
    // An error loses its class when it leaves the thread, so the reason is returned instead of thrown.
    if (error instanceof Undrawable) return { reason: error.message };
    throw error;
  }
}

function readDefaults(drawing: Drawing, document: DocumentNode): Defaults | undefined {
  const { schema, problem } = declarationIn(document);
  if (problem !== undefined) {
    const [path] = problem;
    drawing.warn({ node: document, path }, `variables is ignored: ${problem.join(' ')}`);
  }
  return schema && defaultsIn(schema);
}

function inboxPrograms(
  drawing: Drawing,
  document: DocumentNode,
  placeholders: Placeholders,
): Partial<Record<InboxText, Program>> {
  const isString = (value: unknown): value is string => typeof value === 'string';
  const programs = inboxTexts.flatMap((name) => {
    const place = { node: document, path: '' };
    const text = drawing.valueOr('', place, name, document[name] ?? '', isString);
    return text.trim() === '' ? [] : [[name, lineProgram(text, placeholders)]];
  });
  return Object.fromEntries(programs) as Partial<Record<InboxText, Program>>;
}

function localeOf(language = DEFAULT_LOCALE): string {
  if (language.length > MAX_LANGUAGE_LENGTH) return DEFAULT_LOCALE;
  try {
    return Intl.NumberFormat.supportedLocalesOf(language)[0] ?? DEFAULT_LOCALE;
  } catch {
    // A document may contain any text as its language. MJML copies an invalid language into the HTML, but `Intl`
    // rejects it.
    return DEFAULT_LOCALE;
  }
}

async function htmlOf(
  { needsOwnComponents }: Drawing,
  tree: object,
  client: MailClient | undefined,
): Promise<string> {
  const { html } = await mjmlCore.default(tree, {
    presets: [presetCore, needsOwnComponents ? fullPreset : galleyPreset],
    // `attributesOf` has validated all values, and validating them again takes as long as drawing a third of the
    // document. Tests validate the MJML.
    validationLevel: 'skip',
    // By default, MJML adds links to fonts from Google, which would learn who reads the email.
    fonts: {},
  });
  return client === undefined ? html : approximate(html, client);
}
