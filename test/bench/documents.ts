const COLOURS = ['#0B7285', '#F4F4F4', '#151E23', '#FFB400'];
const WORDS = 'Fresh bread, warm soup and a table by the window: our kitchen opens at noon. '.split(
  ' ',
);

/**
 * An email as editors save it: stripes contain containers, and containers contain blocks; most of the
 * document is styles and short texts.
 */
export function emailDocument(bytes: number): object {
  const stripes: object[] = [];
  const document = { styles: { contentWidth: 600, backgroundColor: '#F4F4F4' }, stripes };
  for (let size = 0; size < bytes;) {
    const next = stripe(stripes.length);
    stripes.push(next);
    size += JSON.stringify(next).length;
  }
  return document;
}

const stripe = (number: number) => ({
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
            alt: WORDS[number % WORDS.length],
          },
        },
        {
          id: `b${number * 2 + 1}`,
          type: 'text',
          props: {
            content: `<p style="margin: 10px 0;color:#151e23">${text(number)}</p>`,
            'font-size': '13px',
            'line-height': '22px',
            color: '#55575d',
          },
        },
      ],
    },
  ],
});

const text = (start: number) =>
  Array.from({ length: 30 }, (_, at) => WORDS[(start * 3 + at) % WORDS.length]).join(' ');
