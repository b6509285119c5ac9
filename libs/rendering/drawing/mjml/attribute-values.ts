import { MAX_CSS_LENGTH, SAFE_CSS } from './css-value.js';
import { isSafeUrl } from '../../document/index.js';

const URL_ATTRIBUTES = new Set(['href', 'src', 'icon-wrapped-url', 'icon-unwrapped-url']);
// MJML puts the URL of a background image into `url('…')`, where a quote would end the URL. Private-use characters are
// not allowed either: a placeholder begins and ends with such a character, and data in CSS would need different
// escaping.
const URL_IN_CSS = /^[^\s'"()\\<>\ue000-\uf8ff]*$/;
// Attributes whose values are plain text. All other attributes, except URLs, become CSS.
const TEXT_ATTRIBUTES = new Set([
  'alt',
  'icon-wrapped-alt',
  'icon-unwrapped-alt',
  'title',
  'name',
  'target',
  'rel',
]);
const CLASSES = /^[\w -]{1,200}$/;
export const MAX_TEXT_LENGTH = 2_000;
// MJML would convert these strings to booleans and then throw an error.
const BOOLEANS = ['true', 'false'];

const isForCss = (name: string): boolean =>
  name !== 'background-url' && !URL_ATTRIBUTES.has(name) && !TEXT_ATTRIBUTES.has(name);

/** The maximum length of an attribute's value, which is shorter for attributes that become CSS. */
export const maxLengthOf = (name: string): number =>
  isForCss(name) ? MAX_CSS_LENGTH : MAX_TEXT_LENGTH;

/** Whether a value of an attribute is safe. Does not check whether the value has the type of the attribute. */
export function isAllowed(name: string, value: string): boolean {
  if (value.length > MAX_TEXT_LENGTH || BOOLEANS.includes(value)) return false;
  if (name === 'background-url') return isSafeUrl(value) && URL_IN_CSS.test(value);
  if (URL_ATTRIBUTES.has(name)) return isSafeUrl(value);
  if (name === 'css-class') return CLASSES.test(value);
  return !isForCss(name) || SAFE_CSS.test(value);
}

const COLOUR_WITHOUT_COMMAS = /^(rgba?)\((\d{1,3}) (\d{1,3}) (\d{1,3})\)$/i;

/** Writes a colour such as `rgb(51 51 51)`, which CSS Color 4 allows and many mail clients do not know, with commas. */
export const withCommas = (colour: string): string =>
  colour.replace(COLOUR_WITHOUT_COMMAS, '$1($2,$3,$4)');
