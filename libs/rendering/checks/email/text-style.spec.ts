import { describe, expect, it } from '@jest/globals';
import { isHidden, pixelsIn, styledWith } from './text-style.js';

const STYLE = {
  colour: [0, 0, 0],
  background: { colour: [255, 255, 255] as const },
  fontSize: 13,
  isBold: false,
} as const;

it.each([
  ['12px', 12],
  [' 12.25 PX ', 12.25],
  ['1234px', 1234],
  ['12345px', undefined],
  ['12', undefined],
  ['2em', undefined],
  ['a 12px', undefined],
  ['12px a', undefined],
  ['', undefined],
  [undefined, undefined],
])('the number of pixels in %j', (value, pixels) => {
  expect(pixelsIn(value)).toBe(pixels);
});

describe('a style', () => {
  it.each([
    [{}, {}],
    [{ 'font-size': '20px' }, { fontSize: 20 }],
    [{ 'font-size': '2em' }, { fontSize: undefined }],
    [{ 'font-weight': 'bold' }, { isBold: true }],
    [{ 'font-weight': ' Bolder ' }, { isBold: true }],
    [{ 'font-weight': '600' }, { isBold: true }],
    [{ 'font-weight': '500' }, {}],
    [{ 'font-weight': '6000' }, {}],
    [{ 'font-weight': 'not bold' }, {}],
    [{ color: '#fff' }, { colour: [255, 255, 255] }],
    [{ color: 'inherit' }, { colour: undefined }],
    [{ background: '#fff' }, { background: { colour: [255, 255, 255] } }],
    [
      { background: '#000', 'background-color': '#fff' },
      { background: { colour: [255, 255, 255] } },
    ],
  ])('with %j', (properties, changes) => {
    expect(styledWith(STYLE, properties)).toEqual({ ...STYLE, ...changes });
  });

  it('keeps what the properties do not change', () => {
    const style = styledWith(STYLE, { color: 'red', 'font-weight': 'bold', 'font-size': '9px' });
    expect(styledWith(style, {})).toEqual(style);
    expect(styledWith(style, { 'font-weight': 'normal' })).toEqual({ ...style, isBold: false });
  });
});

it.each([
  [0, true],
  [2, true],
  [2.5, false],
  [undefined, false],
])('a text of %s pixels is hidden: %s', (fontSize, hidden) => {
  expect(isHidden({ ...STYLE, fontSize })).toBe(hidden);
});
