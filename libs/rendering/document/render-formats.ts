export const resultFormats = ['html', 'text', 'mjml'] as const;
export type ResultFormat = (typeof resultFormats)[number];

/** The results of a rendering: the HTML, plain text, the MJML from which the HTML was made, or all of them. */
export const renderFormats = [...resultFormats, 'all'] as const;
export type RenderFormat = (typeof renderFormats)[number];

// JSON.stringify and UTF-8 block the event loop for some 20 ms with this many.
export const MAX_RESULT_CHARACTERS = 8_000_000;
