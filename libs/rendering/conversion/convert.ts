import type { DocumentNode } from '../document/index.js';
import { readEditorContent } from './editors/index.js';
import type { ImportFormat } from './formats.js';
import { importHtml } from './html/import-html.js';
import { importMjml } from './mjml/import-mjml.js';
import { parseMjml } from './mjml/parse-mjml.js';
import { NotImportable } from './not-importable.js';
import { Report, type ImportReport } from './report.js';

export interface ImportSource {
  format: ImportFormat;
  /** MJML or HTML as text, or the JSON of another program as text. */
  content: string;
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
      ? importHtml(report, content)
      : importMjml(
          report,
          format === 'mjml' ? parseMjml(content) : readEditorContent(report, format, content),
        );
  return { document, report: report.result };
}

/**
 * Runs in a worker thread, because parsing a large content would block the event loop.
 *
 * @returns the document, or the reason why Galley cannot import the content.
 */
export default function convert(source: ImportSource): { imported: string } | { reason: string } {
  try {
    const imported = importDocument(source);
    return { imported: JSON.stringify(imported) };
  } catch (error) {
    // An error loses its class when it leaves the thread, so the reason is returned instead of thrown.
    if (error instanceof NotImportable) return { reason: error.message };
    throw error;
  }
}
