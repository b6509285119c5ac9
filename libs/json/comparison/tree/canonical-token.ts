const QUOTE = 0x22;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;

// Larger exponents are compared as they are written, because a JavaScript number would lose digits.
const MAX_EXPONENT_DIGITS = 15;

/**
 * Returns the same text for strings, numbers and literals with the same meaning. Numbers keep all digits: `1.0` becomes
 * `1`, and `9007199254740993` stays different from `9007199254740992`.
 */
export function canonicalToken(token: string): string {
  const code = token.charCodeAt(0);
  if (code === QUOTE) {
    return token.includes('\\') ? JSON.stringify(JSON.parse(token)) : token;
  }
  return code === MINUS || (code >= ZERO && code <= NINE) ? canonicalNumber(token) : token;
}

/** Reduces a number to its significant digits and a power of ten: `-120.0` becomes `-12e1`. */
function canonicalNumber(token: string): string {
  const [mantissa = '', exponentText = '0'] = token.toLowerCase().split('e');
  const sign = mantissa.startsWith('-') ? '-' : '';
  const [integer = '', fraction = ''] = mantissa.slice(sign.length).split('.');
  const digits = integer + fraction;
  let start = 0;
  while (digits.charCodeAt(start) === ZERO) start++;
  let end = digits.length;
  while (end > start && digits.charCodeAt(end - 1) === ZERO) end--;
  if (start === end) return '0';
  if (exponentText.length > MAX_EXPONENT_DIGITS) return token;
  const exponent = Number(exponentText) - fraction.length + (digits.length - end);
  return `${sign}${digits.slice(start, end)}${exponent === 0 ? '' : `e${exponent}`}`;
}
