import {
  FONT_FORMATS,
  FONT_NAME,
  FONT_STYLES,
  FONT_WEIGHT,
  MAX_CSS_LENGTH,
} from '../drawing/index.js';
import { closed, type JsonSchema } from './json-schema.js';

/** A font in the `fonts` of a document. */
export const font: JsonSchema = {
  ...closed('A font.', {
    name: {
      description: 'The name of the font, which `fontFamily` and `font-family` may have.',
      type: 'string',
      pattern: FONT_NAME.source,
      examples: ['Inter'],
    },
    url: {
      description: 'The URL of a font file, or of a style sheet that declares the font.',
      type: 'string',
      pattern: '^https?:[^\\s\'"()\\\\<>]*$',
      maxLength: 2_000,
      examples: ['https://example.com/inter.woff2'],
    },
    format: {
      description:
        'The format of the file; by default, as its name ends, or a style sheet (`css`).',
      enum: [...FONT_FORMATS],
    },
    weight: {
      description: 'The weight in the file, or the smallest and the largest weight.',
      type: ['string', 'number'],
      pattern: FONT_WEIGHT.source,
      default: 400,
      examples: ['400 700'],
    },
    style: { description: 'The style in the file.', enum: FONT_STYLES, default: 'normal' },
    fallback: {
      description: 'The fonts of mail clients that do not load fonts, such as Outlook and Gmail.',
      type: 'string',
      maxLength: MAX_CSS_LENGTH,
      default: 'Arial, sans-serif',
      examples: ['Georgia, serif'],
    },
  }),
  required: ['name', 'url'],
};
