import type { Defect } from './defect.ts';

const PERSONALISE = 'libs/rendering/personalisation/personalise.ts';
const PLACES = 'libs/rendering/personalisation/places.ts';
const TESTS = ['libs/rendering/personalisation/personalise.spec.ts'];
const PLACES_TESTS = ['libs/rendering/personalisation/places.spec.ts'];

/** The escapes of values by their place, and the bounds of a rendering. */
export const personalisation: Defect[] = [
  {
    name: 'a value is not escaped in HTML',
    file: PERSONALISE,
    text: 'text = escapeText(text);',
    replacement: 'text = text.trim();',
    tests: TESTS,
  },
  {
    name: 'a value is escaped in plain text',
    file: PERSONALISE,
    text: `if (this.isHtml) {
      text = escapeText(text);`,
    replacement: `if (text !== '') {
      text = escapeText(text);`,
    tests: TESTS,
  },
  {
    name: 'a value may be an address with any scheme',
    file: PERSONALISE,
    text: "return isSafeUrl(text) ? text.trim() : '';",
    replacement: 'return text.trim();',
    tests: TESTS,
  },
  {
    name: 'a value in an address is not encoded',
    file: PERSONALISE,
    text: 'const encoded = encodeURIComponent(text.toWellFormed());',
    replacement: 'const encoded = text.toWellFormed();',
    tests: TESTS,
  },
  {
    name: 'a lone surrogate in an address ends the rendering',
    file: PERSONALISE,
    text: 'encodeURIComponent(text.toWellFormed())',
    replacement: 'encodeURIComponent(text)',
    tests: ['libs/rendering/rendered-data.spec.ts'],
  },
  {
    name: 'a value may stand in a style',
    file: PLACES,
    text: 'const CODE_ATTRIBUTE = /^(?:style|on.*)$/;',
    replacement: 'const CODE_ATTRIBUTE = /^(?:on.*)$/;',
    tests: PLACES_TESTS,
  },
  {
    name: 'a value may be the source of an image without a check of its scheme',
    file: PLACES,
    text: "  'src',\n",
    replacement: '',
    tests: PLACES_TESTS,
  },
  {
    name: 'a value in a style element counts as text',
    file: PLACES,
    text: 'if (isCode || location === null) return;',
    replacement: 'if (location === null) return;',
    tests: PLACES_TESTS,
  },
  {
    name: 'data is read through the prototype',
    file: PERSONALISE,
    text: 'value !== null && Object.hasOwn(value, name)',
    replacement: 'value !== null && name in value',
    tests: TESTS,
  },
  {
    name: 'hostile data may cost any amount of processor time',
    file: 'libs/rendering/personalisation/cost.ts',
    text: 'if (this.isBounded && this.steps > MAX_STEPS) {',
    replacement: 'if (this.isBounded && this.steps > 1_000 * MAX_STEPS) {',
    tests: ['libs/rendering/personalisation/cost.spec.ts'],
  },
];
