import { describe, expect, it } from '@jest/globals';
import { backgroundOn, contrastOf, hexOf, parseColour } from './colours.js';

describe('a colour', () => {
  it.each([
    ['#fff', [255, 255, 255]],
    ['#1a2B3c', [26, 43, 60]],
    [' #abc ', [170, 187, 204]],
    ['rgb(1,2,255)', [1, 2, 255]],
    ['RGB( 10 , 20 , 30 )', [10, 20, 30]],
    ['Red', [255, 0, 0]],
    ['orange', [255, 165, 0]],
    ['', undefined],
    ['#ffff', undefined],
    ['#12345', undefined],
    ['a #fff', undefined],
    ['#fff a', undefined],
    ['rgb(1,2,256)', undefined],
    ['rgb(1,2)', undefined],
    ['a rgb(1,2,3)', undefined],
    ['rgb(1,2,3) a', undefined],
    ['rgba(1,2,3,0.5)', undefined],
    ['papayawhip', undefined],
    ['constructor', undefined],
    [`#fff${' '.repeat(36)}`, [255, 255, 255]],
    [`#fff${' '.repeat(37)}`, undefined],
  ])('%j', (text, colour) => {
    expect(parseColour(text)).toEqual(colour);
  });

  it.each(
    // The colour names of CSS 2.1, section 4.3.6.
    Object.entries({
      maroon: '#800000',
      red: '#ff0000',
      orange: '#ffa500',
      yellow: '#ffff00',
      olive: '#808000',
      purple: '#800080',
      fuchsia: '#ff00ff',
      white: '#ffffff',
      lime: '#00ff00',
      green: '#008000',
      navy: '#000080',
      blue: '#0000ff',
      aqua: '#00ffff',
      teal: '#008080',
      black: '#000000',
      silver: '#c0c0c0',
      gray: '#808080',
      grey: '#808080',
    }),
  )('%s is %s', (name, hex) => {
    expect(hexOf(parseColour(name) ?? [1, 2, 3])).toBe(hex);
  });
});

// Contrast ratios by the WCAG 2.2 formula, rounded to two decimal places.
it.each([
  ['#000000', '#ffffff', 21],
  ['#ffffff', '#000000', 21],
  ['#777777', '#ffffff', 4.48],
  ['#767676', '#ffffff', 4.54],
  ['#ff0000', '#ffffff', 4.0],
  ['#00ff00', '#ffffff', 1.37],
  ['#0000ff', '#ffffff', 8.59],
  ['#050505', '#000000', 1.03],
  ['#123456', '#123456', 1],
])('the contrast of %s on %s is %s', (one, other, contrast) => {
  const [text, background] = [parseColour(one), parseColour(other)];
  expect(contrastOf(text ?? [1, 2, 3], background ?? [1, 2, 3])).toBeCloseTo(contrast, 2);
});

describe('a background', () => {
  const below = { colour: [1, 2, 3] } as const;

  it.each([
    ['red', undefined, { colour: [255, 0, 0] }],
    ['red', '', { colour: [255, 0, 0] }],
    // An unknown background colour must not cause a finding.
    ['red', 'https://a.example/b.png', { colour: undefined }],
    ['rgba(0,0,0,0.5)', undefined, { colour: undefined }],
    [undefined, undefined, below],
    ['', undefined, below],
    ['transparent', undefined, below],
  ])('of the colour %j with the picture %j', (colour, picture, background) => {
    expect(backgroundOn(below, colour, picture)).toEqual(background);
  });

  it('is white by default', () => {});
});
