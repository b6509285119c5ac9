export const resultFormats = ['html', 'text', 'mjml'] as const;
export type ResultFormat = (typeof resultFormats)[number];

/**
 * The formats that a caller can request: HTML, plain text, the MJML from which the HTML is generated, or all of these.
 */
export const renderFormats = [...resultFormats, 'all'] as const;
export type RenderFormat = (typeof renderFormats)[number];

// JSON.stringify and UTF-8 encoding block the event loop for about 20 ms with this many characters.
export const MAX_RESULT_CHARACTERS = 8_000_000;
