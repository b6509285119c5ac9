import { describe, expect, it } from '@jest/globals';
import { keysIn, wordsIn } from './words.js';

describe('the keys of a text', () => {
  it.each([
    ['Welcome aboard, welcome!', ['welcome', 'aboard']],
    ['Füße FÜSSE fusse', ['fusse']],
    ['naïve e\u0301te\u0301 Ångström', ['naive', 'ete', 'angstrom']],
    ['ﬁve Ⅳ 100 %', ['five', 'iv', '100']],
    ['snake_case {{firstName}}', ['snake', 'case', 'firstname']],
    ['東京都', ['東京', '京都']],
    ['東 Tokyo東京', ['東', 'tokyo', '東京']],
    ['สวัสดี', ['สว', 'วส', 'สด']],
    ['Привет', ['привет']],
    // The compatibility form of ½ contains a slash.
    ['½', ['12']],
    ['東', ['東']],
    ['!?… 🍲', []],
    ['\u0301', []],
    ['', []],
  ])('%j', (text, keys) => {
    expect(keysIn(text)).toEqual(keys);
  });

  it('are at most 2,000, with at most 40 characters each', () => {
    const text = Array.from({ length: 5_000 }, (_, index) => `word${index}`).join(' ');
    expect(keysIn(text)).toHaveLength(2_000);
    expect(keysIn('x'.repeat(100_000))).toEqual(['x'.repeat(40)]);
    expect(keysIn('é'.repeat(100))).toEqual(['e'.repeat(40)]);
    // This ligature stands for three letters.
    expect(keysIn('ﬃ'.repeat(100))).toEqual(['ffi'.repeat(14).slice(0, 40)]);
  });

  it('come with the offsets of their words', () => {
    expect([...wordsIn('a, Füße')]).toEqual([
      { start: 0, end: 1, keys: ['a'] },
      { start: 3, end: 7, keys: ['fusse'] },
    ]);
  });
});
