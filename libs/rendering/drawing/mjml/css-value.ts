// Functions such as `url` and `image-set` load resources, so only colours may contain parentheses. A semicolon would
// begin another declaration.
const CHARACTERS = String.raw`(?:[\w\s#%.,!/+'"-]|\b(?:rgb|hsl)a?\([\d\s.,%/]*\))*`;
// An unpaired quote would swallow the declarations after the value.
const PAIRS_OF_QUOTES = `(?=(?:[^"]*"[^"]*")*[^"]*$)(?=(?:[^']*'[^']*')*[^']*$)`;
/** The maximum length of a value. MJML copies some values into every element, which would multiply a long value. */
export const MAX_CSS_LENGTH = 200;
const IS_SHORT = `(?=[^]{0,${MAX_CSS_LENGTH}}$)`;

/** Matches values that are safe in a style. */
export const SAFE_CSS = new RegExp(`^${IS_SHORT}${PAIRS_OF_QUOTES}${CHARACTERS}$`, 'i');
