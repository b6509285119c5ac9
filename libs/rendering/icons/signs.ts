/** The sign on the picture of a video, and the signs of closed and open elements of accordions. */
export const signs = ['play', 'expand', 'collapse'] as const;
export type SignName = (typeof signs)[number];
