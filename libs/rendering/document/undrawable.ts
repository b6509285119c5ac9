/** Thrown if Galley cannot draw the document at all. The message completes `The document cannot be rendered: `. */
export class Undrawable extends Error {
  override readonly name = 'Undrawable';
}
