import { joinBuffers } from '#time-slices';
import { JsonText } from '../json-text.js';

// Encoding this many characters takes 0.1 ms or less.
const CHARACTERS_IN_CHUNK = 32 * 1024;

/**
 * Builds a long JSON text. The text is encoded part by part, because joining and encoding several megabytes at once
 * would block the event loop.
 */
export class TextBuilder {
  private readonly chunks: Buffer[] = [];
  private pending = '';

  append(text: string): void {
    this.pending += text;
    if (this.pending.length >= CHARACTERS_IN_CHUNK) this.encodePending();
  }

  *build(): Generator<void, JsonText> {
    this.encodePending();
    return new JsonText(yield* joinBuffers(this.chunks));
  }

  private encodePending(): void {
    this.chunks.push(Buffer.from(this.pending));
    this.pending = '';
  }
}
