// Functions such as `url` and `image-set` load something, so only colours may have brackets. A semicolon would
// begin another declaration.
const CHARACTERS = String.raw`(?:[\w\s#%.,!/+'"-]|\b(?:rgb|hsl)a?\([\d\s.,%/]*\))*`;
// A single quote would swallow the declarations after the value.
const PAIRS_OF_QUOTES = `(?=(?:[^"]*"[^"]*")*[^"]*$)(?=(?:[^']*'[^']*')*[^']*$)`;
/** The maximal length of a value. MJML copies some values into every element, so a long value would multiply. */
export const MAX_CSS_LENGTH = 200;
const IS_SHORT = `(?=[^]{0,${MAX_CSS_LENGTH}}$)`;

/** The form of a value that may stand in a style. */
export const SAFE_CSS = new RegExp(`^${IS_SHORT}${PAIRS_OF_QUOTES}${CHARACTERS}$`, 'i');
