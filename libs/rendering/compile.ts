import mjmlCore from 'mjml-core';
import presetCore from 'mjml-preset-core';
import { drawDocument, requireDrawable } from './mjml/document.js';
import { Drawing, Undrawable, type RenderWarning } from './mjml/drawing.js';
import { toMjmlText } from './mjml/mjml-node.js';
import { documentText } from './text/document-text.js';

export interface Source {
  content: string;
  title: string;
}

export interface CompiledDocument {
  html: string;
  mjml: string;
  text: string;
  warnings: RenderWarning[];
}

/**
 * Makes HTML of a document. Runs in a worker thread, because MJML takes some 20 ms for a document of 28 KB.
 *
 * @param content the document as JSON.
 * @param title the title, if the document has none.
 * @returns the reason why Galley cannot draw the document, if it cannot.
 */
export default async function compile({
  content,
  title,
}: Source): Promise<CompiledDocument | { reason: string }> {
  const drawing = new Drawing();
  try {
    const document = requireDrawable(JSON.parse(content));
    const tree = drawDocument(drawing, document, title);
    const { html } = await mjmlCore.default(tree, {
      presets: [presetCore],
      // A document with an error would be a defect of the drawing, so that nothing is drawn.
      validationLevel: 'strict',
      // MJML loads the fonts in this list from Google, which would see who reads the email.
      fonts: {},
    });
    const text = documentText(document);
    return { html, mjml: toMjmlText(tree), text, warnings: drawing.warnings };
  } catch (error) {
    // A thread passes on an error without its class.
    if (error instanceof Undrawable) return { reason: error.message };
    throw error;
  }
}
