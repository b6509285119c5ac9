import { MAX_RESULT_CHARACTERS, RESULT_TOO_LARGE, type DocumentNode } from '../document/index.js';
import { readEditorContent } from './editors/index.js';
import type { ImportFormat } from './formats.js';
import { importHtml } from './html/import-html.js';
import { importMjml } from './mjml/import-mjml.js';
import type { MjmlElement } from './mjml/mjml-element.js';
import { parseMjml } from './mjml/parse-mjml.js';
import { NotImportable } from './not-importable.js';
import { Report, type ImportReport } from './report.js';

export interface ImportSource {
  format: ImportFormat;
  /** MJML or HTML, or the object of an editor or its JSON. */
  content: unknown;
}

export interface ImportedDocument {
  document: DocumentNode;
  report: ImportReport;
}

/**
 * Turns a content of another program into a document.
 *
 * @throws NotImportable if the content does not have the format, or is too large.
 */
export function importDocument({ format, content }: ImportSource): ImportedDocument {
  const report = new Report();
  const document =
    format === 'html'
      ? importHtml(report, requireText(content))
      : importMjml(report, readMjml(report, format, content));
  return { document, report: report.result };
}

const readMjml = (
  report: Report,
  format: Exclude<ImportFormat, 'html'>,
  content: unknown,
): MjmlElement =>
  format === 'mjml' ? parseMjml(requireText(content)) : readEditorContent(report, format, content);

function requireText(content: unknown): string {
  if (typeof content === 'string') return content;
  throw new NotImportable('it must be a string.');
}

/**
 * Runs in a worker thread, because parsing a large content would block the event loop.
 *
 * @param source has the content as JSON.
 * @returns the document and the report as JSON, or the reason why Galley cannot import the content.
 */
export default function convert({
  format,
  content,
}: {
  format: ImportFormat;
  content: string;
}): { imported: string } | { reason: string } {
  try {
    const imported = JSON.stringify(importDocument({ format, content: JSON.parse(content) }));
    return imported.length > MAX_RESULT_CHARACTERS ? { reason: RESULT_TOO_LARGE } : { imported };
  } catch (error) {
    // An error loses its class when it leaves the thread, so the reason is returned instead of thrown.
    if (error instanceof NotImportable) return { reason: error.message };
    // Parts that are nested too deeply for the limits above exhaust the stack.
    if (error instanceof RangeError) return { reason: 'it is nested too deeply, or too large.' };
    throw error;
  }
}
