import { defineRules } from '../rule.js';

const KB = 1_024;
const CLIPPED = 102;
const LARGE = 80;
const HELP =
  'Split the email, or remove blocks. Each block costs about 1.5 KB, whatever it contains.';

export const sizeRules = defineRules([
  {
    name: 'html-clipped',
    severity: 'error',
    help: HELP,
    *find({ document, html }) {
      const size = kilobytesOf(html);
      if (size > CLIPPED) {
        const message = `The HTML is ${Math.ceil(size)} KB, and Gmail cuts emails off after ${CLIPPED} KB.`;
        yield { place: document, message };
      }
    },
  },
  {
    name: 'html-large',
    severity: 'warning',
    help: HELP,
    *find({ document, html }) {
      const size = kilobytesOf(html);
      if (size > LARGE && size <= CLIPPED) {
        const message = `The HTML is ${Math.ceil(size)} KB. Links with tracking make it larger, and Gmail cuts emails off after ${CLIPPED} KB.`;
        yield { place: document, message };
      }
    },
  },
]);

const kilobytesOf = (html: string): number => Buffer.byteLength(html) / KB;
