export const resultFormats = ['html', 'text', 'mjml'] as const;
export type ResultFormat = (typeof resultFormats)[number];

/** The results of a rendering: the HTML, plain text, the MJML from which the HTML was made, or all of them. */
export const renderFormats = [...resultFormats, 'all'] as const;
export type RenderFormat = (typeof renderFormats)[number];
