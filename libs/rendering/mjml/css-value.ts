const MAX_LENGTH = 200;
// Functions such as `url` and `image-set` load something, so only colours may have brackets. A semicolon would
// begin another declaration.
const CSS_VALUE = /^(?:[\w\s#%.,!/+'"-]|\b(?:rgb|hsl)a?\([\d\s.,%/]*\))*$/i;

/**
 * The form of a value that may stand in a style. Quotes come in pairs: a single one would swallow the
 * declarations after the value.
 */
export const SAFE_CSS = new RegExp(
  `^(?=[^]{0,${MAX_LENGTH}}$)(?=(?:[^"]*"[^"]*")*[^"]*$)(?=(?:[^']*'[^']*')*[^']*$)${CSS_VALUE.source.slice(1)}`,
  'i',
);
