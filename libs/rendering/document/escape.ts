/** Escapes text for HTML and MJML. The result is safe in elements and in quoted attributes. */
export const escapeText = (text: string): string =>
  escapeMarkup(text).replaceAll('"', '&quot;').replaceAll("'", '&#39;');

/** Escapes text for the content of elements, where quotes need no escaping. */
export const escapeMarkup = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
