/** The URL schemes that are allowed in links and images. */
export const SCHEMES = ['http', 'https', 'mailto', 'tel', 'sms'];
// Browsers ignore these characters inside a scheme, so a link to `java\nscript:` would run a script.
// eslint-disable-next-line no-control-regex -- the pattern matches control characters on purpose
const IGNORED = /[\u0000-\u0020\u007f-\u00a0\u200b-\u200f\u2028\u2029\ufeff]/g;

/** Whether a URL may be used in a link or an image. Relative URLs and the schemes in `SCHEMES` are allowed. */
export function isSafeUrl(url: string): boolean {
  const scheme = /^([^/?#]*?):/.exec(url.replace(IGNORED, ''))?.[1];
  return scheme === undefined || SCHEMES.includes(scheme.toLowerCase());
}

const MAX_BASE_LENGTH = 2_000;

/** Whether a value may be the `base-url` of a menu. Each link copies it, so a longer one would take too much memory. */
export const isBaseUrl = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= MAX_BASE_LENGTH;
