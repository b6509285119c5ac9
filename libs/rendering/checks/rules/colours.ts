import { contrastOf, hexOf, type Colour } from '../email/colours.js';
import { isHidden, type TextStyle } from '../email/text-style.js';
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
          .flatMap(({ style }) => lowContrastOf(style))
          .sort((a, b) => a.contrast - b.contrast);
        if (worst === undefined) continue;
        yield { place, message: `The ${messageOf(worst)}` };
      }
    },
  },
  {
    name: 'dark-mode-background',
    severity: 'warning',
    help: 'Set `dark` of the text, or of the node with the background, so that both have colours for dark mode.',
    *find({ texts }) {
      for (const { place, rich, dark } of texts) {
        const [run] = rich.runs.filter(({ style }) => !isHidden(style));
        if (dark === undefined || run === undefined) continue;
        const [low] = lowContrastOf({ ...run.style, ...dark });
        if (low !== undefined) yield { place, message: `In dark mode, the ${messageOf(low)}` };
      }
    },
  },
]);

interface LowContrast {
  text: Colour;
  background: Colour;
  contrast: number;
  needed: number;
}

function messageOf({ text, background, contrast, needed }: LowContrast): string {
  // Rounded down, so that a contrast of 4.48 does not look like the required 4.5.
  const shown = (Math.floor(contrast * 10) / 10).toFixed(1);
  return `contrast of ${hexOf(text)} on ${hexOf(background)} is ${shown}, but it should be at least ${needed}.`;
}

/** Returns the contrast of a text if the contrast is known and too low, and an empty list otherwise. */
function lowContrastOf({ colour, background, fontSize, isBold }: TextStyle): LowContrast[] {
  if (!colour || !background.colour) return [];
  const isLarge =
    fontSize === undefined || fontSize >= LARGE_SIZE || (isBold && fontSize >= LARGE_BOLD_SIZE);
  const needed = isLarge ? MIN_CONTRAST_OF_LARGE_TEXT : MIN_CONTRAST;
  const contrast = contrastOf(colour, background.colour);
  return contrast < needed
    ? [{ text: colour, background: background.colour, contrast, needed }]
    : [];
}
