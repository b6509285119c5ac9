import { defineRules } from '../rule.js';

const KB = 1_024;
const CLIPPED = 102;
const LARGE = 80;
const ADVICE =
  'Split the email into several, or remove blocks. Each block adds about 1.5 KB of HTML, plus its content.';

export const sizeRules = defineRules([
  {
    name: 'html-clipped',
    severity: 'error',
    help: `Gmail shows the first ${CLIPPED} KB of an email, and hides the rest behind a link. ${ADVICE}`,
    *find({ document, html }) {
      const size = kilobytesOf(html);
      if (size > CLIPPED) {
        const message = `The HTML is ${Math.ceil(size)} KB, but Gmail cuts off emails after ${CLIPPED} KB.`;
        yield { place: document, message };
      }
    },
  },
  {
    name: 'html-large',
    severity: 'warning',
    help: `Keep the HTML below ${LARGE} KB: tracking links make it larger, and Gmail cuts off emails after ${CLIPPED} KB. ${ADVICE}`,
    *find({ document, html }) {
      const size = kilobytesOf(html);
      if (size > LARGE && size <= CLIPPED) {
        const message = `The HTML is ${Math.ceil(size)} KB. Tracking links will make it larger, and Gmail cuts off emails after ${CLIPPED} KB.`;
        yield { place: document, message };
      }
    },
  },
]);

const kilobytesOf = (html: string): number => Buffer.byteLength(html) / KB;
