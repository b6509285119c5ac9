/** The results of a rendering: the HTML, plain text, the MJML from which the HTML was made, or all of them. */
export const renderFormats = ['html', 'text', 'mjml', 'all'] as const;
export type RenderFormat = (typeof renderFormats)[number];
