import { expect, it } from '@jest/globals';
import { placesIn } from './places.js';

const PLACEHOLDER = '\ue000t0\ue001';

/** The places of the values in HTML. Each `#` stands for a value. */
function placesOf(html: string): (string | undefined)[] {
  const [first = '', ...others] = html.split('#');
  let text = first;
  const found = others.map((part) => {
    const start = text.length;
    const end = start + PLACEHOLDER.length;
    text += PLACEHOLDER + part;
    return { start, end, kind: 'tag', number: 0 } as const;
  });
  return found.map(placesIn(text));
}

it.each([
  ['<p>Dear #, <b>#</b></p>', ['text', 'text']],
  ['<title>#</title><p>#</p>', ['text', 'text']],
  ['<img alt="#" title="a #">', ['attribute', 'attribute']],
  ['<a href="#">#</a>', ['url', 'text']],
  ['<a href=" #">#</a>', ['url', 'text']],
  ['<a href="https://a.example/#?b=#">A</a>', ['urlPart', 'urlPart']],
  ['<a href="MAILTO:#?cc=#">A</a><a href="sms:#">B</a>', ['contact', 'contact', 'contact']],
  ['<img src="#"><td background="#"></td>', ['url', 'url']],
  ['<!--[if mso]><a href="#">#</a><![endif]--><p>#</p>', ['url', 'text', 'text']],
])('in %s, the places of values are known', (html, places) => {
  expect(placesOf(html)).toEqual(places);
});

it.each([
  '<p style="color: #">A</p>',
  '<p onclick="#">A</p>',
  '<style>#</style>',
  '<script>#</script>',
  '<!-- # -->',
  '<!--[if mso]><style>#</style><![endif]-->',
  '<p #>A</p>',
  "<p title='#'>A</p>",
])('in %s, no value is allowed', (html) => {
  expect(placesOf(html)).toEqual([undefined]);
});

it('a value after a style element is in text again', () => {
  expect(placesOf('<style>#</style><p title="#">#</p>')).toEqual([undefined, 'attribute', 'text']);
});
