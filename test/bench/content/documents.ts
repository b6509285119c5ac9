import { textsFrom } from './words.js';

const COLOURS = ['#0B7285', '#F4F4F4', '#151E23', '#FFB400'];

/**
 * An email as editors save it: stripes contain containers, and containers contain blocks; most of the
 * document is styles and short texts.
 * @param seed documents with different seeds have different texts.
 */
export function emailDocument(bytes: number, seed = 0): object {
  const text = textsFrom(seed);
  const stripes: object[] = [];
  const document = { styles: { contentWidth: 600, backgroundColor: '#F4F4F4' }, stripes };
  for (let size = 0; size < bytes;) {
    const next = stripe(stripes.length, text);
    stripes.push(next);
    size += JSON.stringify(next).length;
  }
  return document;
}

const WORDS_OF_PARAGRAPH = 30;

const stripe = (number: number, text: (words: number) => string) => ({
  id: `s${number}`,
  type: 'stripe',
  styles: {
    padding: '30px 0px 0px 0px',
    'text-align': 'center',
    'background-color': COLOURS[number % COLOURS.length],
    'background-position': 'top center',
  },
  containers: [
    {
      id: `s${number}c1`,
      type: 'container',
      styles: { border: 'none', 'vertical-align': 'top', padding: '0px' },
      blocks: [
        {
          id: `b${number * 2}`,
          type: 'image',
          props: {
            align: 'center',
            width: '214px',
            src: `https://images.example.com/${number * 7919}/header.png`,
            alt: text(1),
          },
        },
        {
          id: `b${number * 2 + 1}`,
          type: 'text',
          props: {
            content: `<p style="margin: 10px 0;color:#151e23">${text(WORDS_OF_PARAGRAPH)}</p>`,
            'font-size': '13px',
            'line-height': '22px',
            color: '#55575d',
          },
        },
      ],
    },
  ],
});

/** Emails of the same size with different texts. */
export const emailDocuments = (bytes: number, count: number): object[] =>
  Array.from({ length: count }, (_, seed) => emailDocument(bytes, seed));
