/**
 * A JSON document that is stored and given back letter for letter. It travels as text, because
 * parsing and printing it again would move integer-like keys, respell numbers and cost the time.
 */
export class JsonText {
  constructor(readonly text: string) {}

  /** Whether both say the same JSON; only their spelling (white space, escapes) may differ. */
  equals(other: JsonText): boolean {
    return this.text === other.text || normal(this.text) === normal(other.text);
  }
}

const normal = (text: string): string => JSON.stringify(JSON.parse(text));
