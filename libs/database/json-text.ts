/**
 * A JSON document that is stored and given back letter for letter. It travels as text, because
 * parsing and printing it again would move integer-like keys, respell numbers and cost the time.
 */
export class JsonText {
  /** @param source the text, or the bytes of it in UTF-8 that somebody sent, which go on as they are. */
  constructor(readonly source: string | Buffer) {}

  get text(): string {
    return this.source.toString();
  }

  /** Whether both say the same; white space, escapes and the spelling of short numbers may differ. */
  equals(other: JsonText): boolean {
    const [one, another] = [this.text, other.text];
    return one === another || normal(one) === normal(another);
  }
}

const TOKENS = /("[^"\\]*(?:\\.[^"\\]*)*")|(-?\d[\d.eE+-]*)|\s+/g;
// A double holds any number of up to 15 digits, so that only equal ones become the same text.
const SHORT_NUMBER = /^[-\d.]{1,15}$/;

/** The same text for the same document, but not by way of JavaScript's objects, which lose too much. */
function normal(text: string): string {
  return text.replace(TOKENS, (_all, string?: string, number?: string) => {
    if (string !== undefined) {
      return string.includes('\\') ? JSON.stringify(JSON.parse(string)) : string;
    }
    if (number === undefined) return '';
    return SHORT_NUMBER.test(number) ? String(Number(number)) : number;
  });
}
