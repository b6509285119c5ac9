export const resultFormats = ['html', 'text', 'mjml'] as const;
export type ResultFormat = (typeof resultFormats)[number];

/**
 * The formats that a caller can request: HTML, plain text, the MJML from which the HTML is generated, or all of these.
 */
export const renderFormats = [...resultFormats, 'all'] as const;
export type RenderFormat = (typeof renderFormats)[number];

// Serialising and encoding a response with this many characters blocks the event loop for about 20 ms.
export const MAX_RESULT_CHARACTERS = 8_000_000;
export const RESULT_TOO_LARGE = 'the result has more than 8,000,000 characters.';
