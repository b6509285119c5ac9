import mjmlCore from 'mjml-core';
import presetCore from 'mjml-preset-core';
import { drawDocument, requireDrawable } from './mjml/document.js';
import { Drawing, Undrawable, type RenderWarning } from './mjml/drawing.js';
import { toMjmlText } from './mjml/mjml-node.js';
import type { RenderFormat } from './render-formats.js';
import { documentText } from './text/document-text.js';

export interface Source {
  /** The document as JSON. */
  content: string;
  /** The title, if the document has none. */
  title: string;
  format: RenderFormat;
}

export interface CompiledDocument extends Partial<Record<Exclude<RenderFormat, 'all'>, string>> {
  warnings: RenderWarning[];
}

// JSON.stringify and UTF-8 block the event loop for some 20 ms with this many.
const MAX_CHARACTERS = 8_000_000;

/**
 * Renders a document. Runs in a worker thread, because MJML takes some 20 ms for a document of 28 KB.
 *
 * @returns the reason why Galley cannot draw the document, if it cannot.
 */
export default async function compile({
  content,
  title,
  format,
}: Source): Promise<CompiledDocument | { reason: string }> {
  const drawing = new Drawing();
  const wants = (each: RenderFormat) => format === each || format === 'all';
  try {
    const document = requireDrawable(JSON.parse(content));
    const tree = drawDocument(drawing, document, title);
    const results = {
      ...(wants('html') && { html: await htmlOf(tree) }),
      ...(wants('text') && { text: documentText(document) }),
      ...(wants('mjml') && { mjml: toMjmlText(tree) }),
    };
    const length = Object.values(results).reduce((sum, result) => sum + result.length, 0);
    if (length > MAX_CHARACTERS) {
      throw new Undrawable('the result has more than 8,000,000 characters.');
    }
    return { ...results, warnings: drawing.warnings };
  } catch (error) {
    // A thread passes on an error without its class.
    if (error instanceof Undrawable) return { reason: error.message };
    throw error;
  }
}

async function htmlOf(tree: object): Promise<string> {
  const { html } = await mjmlCore.default(tree, {
    presets: [presetCore],
    // A document with an error would be a defect of the drawing, so that nothing is drawn.
    validationLevel: 'strict',
    // MJML loads the fonts in this list from Google, which would see who reads the email.
    fonts: {},
  });
  return html;
}
