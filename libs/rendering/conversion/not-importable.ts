/** Thrown if Galley cannot read a content at all. The message completes `The content cannot be imported: `. */
export class NotImportable extends Error {
  override readonly name = 'NotImportable';
}
