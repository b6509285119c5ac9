/** Escapes a text for HTML and MJML, in elements and in quoted attributes. */
export const escapeText = (text: string): string =>
  escapeMarkup(text).replaceAll('"', '&quot;').replaceAll("'", '&#39;');

/** Escapes a text for elements, where quotes may stay. */
export const escapeMarkup = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
