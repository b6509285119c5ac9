// The colour names of CSS 2.1 that emails use as backgrounds, and `whitesmoke`.
const NAMES: Record<string, string> = {
  black: '#000000',
  gray: '#808080',
  grey: '#808080',
  lightgray: '#d3d3d3',
  lightgrey: '#d3d3d3',
  navy: '#000080',
  silver: '#c0c0c0',
  white: '#ffffff',
  whitesmoke: '#f5f5f5',
};
const RGB = /^rgb\(\s*(\d{1,3})\s*,?\s*(\d{1,3})\s*,?\s*(\d{1,3})\s*\)$/i;

/** Writes a colour as a hexadecimal number; undefined for colours that Galley does not know. */
export function hexColour(colour: string): string | undefined {
  const text = colour.trim().toLowerCase();
  if (/^#(?:[\da-f]{3}|[\da-f]{6})$/.test(text)) return text;
  const [, ...channels] = RGB.exec(text) ?? [];
  if (channels.length === 0) return Object.hasOwn(NAMES, text) ? NAMES[text] : undefined;
  const digits = channels.map((channel) =>
    Math.min(Number(channel), 255).toString(16).padStart(2, '0'),
  );
  return `#${digits.join('')}`;
}
