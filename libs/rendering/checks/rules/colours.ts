import { contrastOf, hexOf, type Colour } from '../email/colours.js';
import type { Run } from '../email/rich-text-reader.js';
import { isHidden } from '../email/text-style.js';
import { defineRules } from '../rule.js';

// WCAG 2.2, success criterion 1.4.3, level AA.
const MIN_CONTRAST = 4.5;
const MIN_CONTRAST_OF_LARGE_TEXT = 3;
const LARGE_SIZE = 24;
const LARGE_BOLD_SIZE = 18.66;

export const colourRules = defineRules([
  {
    name: 'contrast-low',
    severity: 'warning',
    help: 'Choose colours with more contrast, for example darker text or a lighter background.',
    *find({ texts }) {
      for (const { place, rich } of texts) {
        const [worst] = rich.runs
          .filter(({ style }) => !isHidden(style))
          .flatMap(lowContrastOf)
          .sort((a, b) => a.contrast - b.contrast);
        if (worst === undefined) continue;
        const { text, background, contrast, needed } = worst;
        const colours = `${hexOf(text)} on ${hexOf(background)}`;
        // Rounded down, so that a contrast of 4.48 does not look like the required 4.5.
        const shown = (Math.floor(contrast * 10) / 10).toFixed(1);
        const message = `The contrast of ${colours} is ${shown}, but it should be at least ${needed}.`;
        yield { place, message };
      }
    },
  },
  {
    name: 'dark-mode-background',
    severity: 'info',
    help: 'Set a background colour wherever you set a text colour, or set `styles.backgroundColor` for the whole document. In dark mode, mail clients put a dark background behind text that has no background colour.',
    *find({ texts }) {
      const found = texts.filter(({ rich }) =>
        rich.runs.some(({ style }) => style.hasOwnColour && !style.background.isSet),
      );
      const [first] = found;
      if (first === undefined) return;
      const count = found.length === 1 ? 'Text has' : `Text in ${found.length} places has`;
      yield { place: first.place, message: `${count} a colour, but no background colour.` };
    },
  },
]);

interface LowContrast {
  text: Colour;
  background: Colour;
  contrast: number;
  needed: number;
}

/** Returns the contrast of a run if the contrast is known and too low, and an empty list otherwise. */
function lowContrastOf({ style }: Run): LowContrast[] {
  const { colour, background, fontSize, isBold } = style;
  if (!colour || !background.colour) return [];
  const isLarge =
    fontSize === undefined || fontSize >= LARGE_SIZE || (isBold && fontSize >= LARGE_BOLD_SIZE);
  const needed = isLarge ? MIN_CONTRAST_OF_LARGE_TEXT : MIN_CONTRAST;
  const contrast = contrastOf(colour, background.colour);
  return contrast < needed
    ? [{ text: colour, background: background.colour, contrast, needed }]
    : [];
}
