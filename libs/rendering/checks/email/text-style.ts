import { backgroundOn, parseColour, type Background, type Colour } from './colours.js';

/** The properties of a text's style that the rules inspect. */
export interface TextStyle {
  /** Undefined if the colour cannot be known. */
  colour: Colour | undefined;
  background: Background;
  /** In pixels; undefined if the size cannot be known, for example because its unit is `em`. */
  fontSize: number | undefined;
  isBold: boolean;
}

// A text with a font size of at most this many pixels counts as hidden on purpose, such as a preheader in a block.
const MAX_HIDDEN_SIZE = 2;
const PIXELS = /^\s*(\d{1,4}(?:\.\d{1,4})?)\s*px\s*$/i;
const BOLD = /^\s*(?:bold|bolder|[6-9]\d\d)\s*$/i;

export const isBold = (weight: string | undefined): boolean => BOLD.test(weight ?? '');

export function pixelsIn(value: string | undefined): number | undefined {
  const [, number] = PIXELS.exec(value ?? '') ?? [];
  return number === undefined ? undefined : Number(number);
}

/** Returns the style inside an element that has these CSS properties. `style` is the style around the element. */
export function styledWith(
  style: TextStyle,
  properties: Readonly<Record<string, string | undefined>>,
): TextStyle {
  const { color, 'font-size': size, 'font-weight': weight, background } = properties;
  const backgroundColour = properties['background-color'] ?? background;
  return {
    colour: color === undefined ? style.colour : parseColour(color),
    background: backgroundOn(style.background, backgroundColour),
    fontSize: size === undefined ? style.fontSize : pixelsIn(size),
    isBold: weight === undefined ? style.isBold : isBold(weight),
  };
}

export const isHidden = ({ fontSize }: TextStyle): boolean =>
  fontSize !== undefined && fontSize <= MAX_HIDDEN_SIZE;
